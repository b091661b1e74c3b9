#include <taut/task/several/target_ranges.hpp>

#include <taut/calibrate/target_range.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

struct NamedRange {
  std::string target;
  double low = -infinity, high = infinity, step = 0;
};

// A name may contain colons itself: it is the longest target before one.
NamedRange parsed(const std::string& text, const std::vector<std::string>& names) {
  NamedRange range;
  for (const auto& name : names)
    if (text.starts_with(name + ":") && name.size() > range.target.size()) range.target = name;
  if (range.target.empty())
    throw UsageError(format_text("--y-range: '{}' names none of the targets {}; give TARGET:MIN:MAX or TARGET:MIN:MAX:STEP", text,
                                 join(names, ", ")));
  const auto parts = split_text(text.substr(range.target.size() + 1), ':');
  const auto number = [&](std::size_t part, double by_default) {
    if (part >= parts.size() || parts[part].empty()) return by_default;
    const auto value = parse_number(parts[part]);
    if (!value || std::isnan(*value)) throw UsageError(format_text("--y-range: '{}' in '{}' is no number", parts[part], text));
    return *value;
  };
  if (parts.size() < 2 || parts.size() > 3)
    throw UsageError(format_text("--y-range: '{}' has {}; give TARGET:MIN:MAX or TARGET:MIN:MAX:STEP, a bound may be empty", text,
                                 counted(std::ssize(parts), "number")));
  range.low = number(0, -infinity);
  range.high = number(1, infinity);
  range.step = number(2, 0);
  try {
    (void)TargetRange(range.low, range.high, range.step);
  } catch (const UsageError& error) {
    throw UsageError(format_text("--y-range {}: {}", text, error.what()));
  }
  return range;
}

}  // namespace

void apply_target_range(const std::string& y_range, const std::vector<std::string>& names, std::size_t target, FitOptions& own) {
  if (y_range.empty()) return;
  std::vector<std::string> seen;
  for (const auto& text : split_text(y_range, ',')) {
    const NamedRange range = parsed(text, names);
    if (std::find(seen.begin(), seen.end(), range.target) != seen.end())
      throw UsageError(format_text("--y-range names '{}' twice; name it once", range.target));
    seen.push_back(range.target);
    if (range.target != names[target]) continue;
    own.y_min = range.low;
    own.y_max = range.high;
    own.y_step = range.step;
  }
}

}  // namespace taut
