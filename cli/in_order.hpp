// What a stream would have done, as `evaluate --in-order` says it, for intervals and for sets.
#pragma once

#include <cli/json.hpp>
#include <taut/model/reports.hpp>

#include <string>

namespace taut {

// What the mean of StreamReport is the mean of.
enum class AnswerKind { intervals, sets };

Json in_order_json(const StreamReport& report, AnswerKind kind);
std::string in_order_in_words(const StreamReport& report, AnswerKind kind);

}  // namespace taut
