// Builds a C file: constant arrays with its numbers, and the lines of one function after another.
#pragma once

#include <taut/export/exported.hpp>

#include <concepts>
#include <string>
#include <utility>
#include <vector>

namespace taut {

std::string c_number(double value);
std::string c_number(float value);
std::string c_number(std::integral auto value) { return std::to_string(value); }

class CWriter {
 public:
  void line(const std::string& code) { body_ += "  " + code + "\n"; }
  const std::string& data() const { return data_; }
  std::string take_body() { return std::exchange(body_, ""); }         // the lines since the last call
  std::string fresh() { return "taut_d" + std::to_string(count_++); }  // an unused name

  // Adds a constant array and returns its name.
  template <class T>
  std::string array(const char* type, const std::vector<T>& values) {
    std::string name = fresh();
    data_ += "static const " + std::string(type) + " " + name + "[] = {";
    std::size_t column = 0;
    for (const T& value : values) {
      const std::string text = c_number(value);
      if (column == 0 || column + text.size() > 120) {
        data_ += "\n  ";
        column = 0;
      }
      data_ += text + ",";
      column += text.size() + 1;
    }
    if (values.empty()) data_ += c_number(T{});
    data_ += "};\n";
    return name;
  }

  // Adds a constant of type taut_trees and returns its name.
  std::string forest(const DescribedTrees& trees);
  // Adds lines that compute a formula of these variables and returns the name of the result.
  std::string formula(const Formula& formula, const std::vector<std::string>& variables);
  // Declares and fills an array of floats called `name`, with `further` unused elements at the end.
  void inputs(const std::vector<DescribedInput>& inputs, const std::string& name, std::size_t further = 0);

 private:
  std::string data_, body_;
  int count_ = 0;
};

// Adds lines that compute `f` and, if the target has_slack(), `slack`: a bound of the difference to the library's f. If the width
// uses the predictors' disagreement, it is called `apart`.
void write_c_prediction(const ExportedTarget& model, CWriter& to);
// Adds the body of a function that computes f and the ends of intervals of one target. `suffix`: of the names of the functions
// that belong to its scale; see c_functions_of_scale.
void write_c_target(const ExportedTarget& model, CWriter& to, const std::string& suffix);
// C functions of the scale of the score. Targets may have different ones, so the suffix is added to their names.
std::string c_functions_of_scale(const ScoreScale& scale, const std::string& suffix);

}  // namespace taut
