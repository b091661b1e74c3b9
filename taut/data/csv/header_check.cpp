#include <taut/data/csv/header_check.hpp>

#include <taut/core/text.hpp>
#include <taut/data/column.hpp>
#include <taut/data/csv/scanner.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

bool are_numbers_as_names(const std::vector<std::string>& fields) {
  std::vector<double> numbers;
  for (const auto& field : fields)
    if (const auto number = cell_number(field)) numbers.push_back(*number);
  if (numbers.empty()) return false;
  constexpr double first_year = 1800, last_year = 2100;
  const auto is_year = [](double number) { return number == std::floor(number) && number >= first_year && number <= last_year; };
  const bool increases = std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) == numbers.end();
  if (increases && std::all_of(numbers.begin(), numbers.end(), is_year)) return true;
  if (numbers.size() < 3) return false;
  const double step = numbers[1] - numbers[0];
  for (std::size_t i = 2; i < numbers.size(); ++i)
    if (std::abs(numbers[i] - numbers[i - 1] - step) > 1e-6 * std::abs(step)) return false;
  return step != 0;
}

namespace {

// True if the number is not farther from the numbers below it than these are from one another.
bool is_among_numbers(double number, std::size_t field, const std::vector<std::vector<std::string>>& below) {
  double lowest = infinity, highest = -infinity;
  for (const auto& record : below) {
    if (field >= record.size() || is_missing_cell(record[field])) continue;
    const auto cell = cell_number(record[field]);
    if (!cell) return false;
    lowest = std::min(lowest, *cell);
    highest = std::max(highest, *cell);
  }
  const double span = highest - lowest;
  return lowest <= highest && number >= lowest - span && number <= highest + span;
}

bool is_among_texts(std::string_view text, std::size_t field, const std::vector<std::vector<std::string>>& below) {
  return !is_missing_cell(text) && std::any_of(below.begin(), below.end(), [&](const auto& record) {
    return field < record.size() && trim(record[field]) == text;
  });
}

}  // namespace

bool looks_like_data(const std::vector<std::string>& first, const std::vector<std::vector<std::string>>& below) {
  const bool has_names = are_numbers_as_names(first);
  std::size_t alike = 0;
  for (std::size_t field = 0; field < first.size(); ++field) {
    const auto number = cell_number(first[field]);
    const bool is_alike =
        number ? !has_names && is_among_numbers(*number, field, below) : is_among_texts(trim(first[field]), field, below);
    alike += is_alike ? 1 : 0;
  }
  return alike > 0 && 2 * alike >= first.size();
}

}  // namespace taut
