#include <taut/report/slider.hpp>

#include <taut/report/page.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

std::vector<double> slider_levels(double confidence) {
  std::vector<double> levels;
  for (int percent = 50; percent <= 99; ++percent) levels.push_back(percent / 100.0);
  const auto near = [&](double level) { return std::abs(level - confidence) < 1e-12; };
  if (std::none_of(levels.begin(), levels.end(), near)) levels.push_back(confidence);
  std::sort(levels.begin(), levels.end());
  return levels;
}

std::size_t position_of(const std::vector<double>& levels, double confidence) {
  const auto near = [&](double level) { return std::abs(level - confidence) < 1e-12; };
  return static_cast<std::size_t>(std::find_if(levels.begin(), levels.end(), near) - levels.begin());
}

Effort effort_of(double level, double confidence) {
  const auto is = [](double a, double b) { return std::abs(a - b) < 1e-12; };
  return is(level, confidence) || is(level, 0.8) || is(level, 0.9) || is(level, 0.95) ? Effort::all_metrics : Effort::quick;
}

std::string without_script(const Answer& answer) {
  std::string html = "<p><strong>" + escaped_html(answer.headline) + "</strong></p>";
  for (const Statement& statement : answer.statements)
    html += "<p>" + escaped_html(statement.label) + ": " + escaped_html(statement.text) + "</p>";
  return html + "<p>The rest of this page needs JavaScript.</p>";
}

}  // namespace taut
