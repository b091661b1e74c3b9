// The shared part of questions that are asked at a confidence level or a probability.
#pragma once

#include <taut/calibrate/question.hpp>
#include <taut/calibrate/rank.hpp>

namespace taut {

class LevelQuestion : public Question {
 public:
  // The text becomes part of the column's name, as the user wrote it.
  LevelQuestion(std::string_view text, std::string_view what) : text_(text), level_(parse_number_or_throw(text, what)) {
    if (!(level_ > 0 && level_ < 1))
      throw UsageError(std::string(what) + " must lie between 0 and 1, both excluded, for example 0.9; got " + text_);
  }

  const std::string& text() const { return text_; }
  double level() const { return level_; }

 private:
  std::string text_;
  double level_;
};

// How the list makes one from "name:0.9".
template <class Asked>
Listed<Question> listed_at_level(std::string name, std::string summary) {
  const std::string example = name + ":0.9";
  return {name, std::move(summary), [](std::string_view level) { return std::make_unique<Asked>(level); }, example, true};
}

}  // namespace taut
