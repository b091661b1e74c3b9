#include <taut/task/several/linear_sum.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <cmath>
#include <optional>

namespace taut {

namespace {

class SumParser {
 public:
  SumParser(std::string_view text, std::span<const std::string> names) : text_(text), rest_(text), names_(names) {}

  std::vector<double> parse() {
    std::vector<double> weights(names_.size());
    double sign = take('-') ? -1 : 1;
    if (sign > 0) take('+');
    for (;;) {
      const auto [target, weight] = term();
      weights[target] += sign * weight;
      if (!std::isfinite(weights[target]))
        throw UsageError(format_text("--sum '{}': the weights of '{}' add up to more than a number can hold; give smaller ones",
                                     text_, names_[target]));
      skip_blanks();
      if (rest_.empty()) return weights;
      if (take('+'))
        sign = 1;
      else if (take('-'))
        sign = -1;
      else
        refuse("'+' or '-'");
    }
  }

 private:
  struct Term {
    std::size_t target;
    double weight;
  };

  // What a term can mean, with the text after it.
  struct Reading {
    Term term;
    std::string_view after;
  };

  // A target, target*number or number*target, up to the next operator.
  std::vector<Reading> readings() {
    const std::string_view begin = rest_;
    std::vector<Reading> found;
    const auto keep = [&](std::optional<std::size_t> target, std::optional<double> weight) {
      if (!target || !weight) return;
      skip_blanks();
      const bool is_whole = rest_.empty() || rest_.front() == '+' || rest_.front() == '-';
      if (is_whole) found.push_back({{*target, *weight}, rest_});
    };
    keep(name(), 1);
    rest_ = begin;
    if (const auto target = name(); target && take('*')) keep(target, number());
    rest_ = begin;
    if (const auto weight = number(); weight && take('*')) keep(name(), weight);
    rest_ = begin;
    return found;
  }

  Term term() {
    const auto found = readings();
    for (const Reading& other : found)
      if (other.term.target != found.front().term.target || other.term.weight != found.front().term.weight)
        throw UsageError(format_text(
            "--sum '{}': '{}' can be read as {} and as {}, because the name of a target looks like a number; give the target "
            "another name",
            text_, rest_, words_of(found.front().term), words_of(other.term)));
    if (found.empty()) return expected_term();
    rest_ = found.front().after;
    return found.front().term;
  }

  std::string words_of(const Term& term) const {
    return format_text("{} times the target '{}'", print_number(term.weight), names_[term.target]);
  }

  // For a text that is no term: says what was expected, or leaves what cannot be read.
  Term expected_term() {
    if (const auto target = name()) {
      if (!take('*')) return {*target, 1};
      const auto weight = number();
      if (!weight) refuse("a number");
      return {*target, *weight};
    }
    const auto weight = number();
    if (!weight) refuse("a target, or a number and '*'");
    if (!take('*')) refuse("'*'");
    const auto target = name();
    if (!target) refuse("a target");
    return {*target, *weight};
  }

  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  bool take(char wanted) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // A name ends at a blank, at an operator or at the end.
  std::optional<std::size_t> name() {
    skip_blanks();
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string& one = names_[i];
      if (!rest_.starts_with(one) || (found && one.size() <= names_[*found].size())) continue;
      const std::string_view after = rest_.substr(one.size());
      if (after.empty() || std::string_view(" \t+-*").find(after.front()) != std::string_view::npos) found = i;
    }
    if (found) rest_.remove_prefix(names_[*found].size());
    return found;
  }
  std::optional<double> number() {
    skip_blanks();
    std::size_t length = 0;
    std::optional<double> found;
    for (std::size_t end = 1; end <= rest_.size() && end <= 30; ++end)
      if (const auto value = parse_number(rest_.substr(0, end)); value && std::isfinite(*value) && rest_[end - 1] != ' ') {
        found = value;
        length = end;
      }
    if (found) rest_.remove_prefix(length);
    return found;
  }
  [[noreturn]] void refuse(const std::string& wanted) const {
    throw UsageError(format_text("--sum '{}': expected {} at {}; a sum is written like '{}{}', of the targets {}", text_, wanted,
                                 rest_.empty() ? std::string("the end") : "'" + std::string(rest_) + "'", names_.front(),
                                 names_.size() > 1 ? " + 2*" + names_[1] : std::string(), join(names_, ", ")));
  }

  std::string_view text_, rest_;
  std::span<const std::string> names_;
};

}  // namespace

std::vector<double> parse_linear_sum(std::string_view text, std::span<const std::string> names) {
  return SumParser(text, names).parse();
}

}  // namespace taut
