// The influence of columns over many rows, for readers and for programs.
#pragma once

#include <taut/explain/influence.hpp>

#include <string>
#include <vector>

namespace taut {

std::string influence_in_words(const Influence& influence);
std::string influence_json(const Influence& influence, const std::vector<std::string>& notes);

}  // namespace taut
