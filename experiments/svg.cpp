#include <experiments/svg.hpp>

#include <experiments/markdown.hpp>
#include <taut/core/text.hpp>
#include <taut/report/page.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Rounds to a tenth of a pixel. Coordinates are bounded, because viewers lose precision far outside the picture.
std::string pixel(double value) {
  std::string text = rounded(std::clamp(value, -1e4, 1e4), 1);
  if (text.ends_with(".0")) text.erase(text.size() - 2);
  return text;
}

std::string path_through(const std::vector<Point>& points) {
  std::string path;
  for (const auto& [x, y] : points) path += (path.empty() ? "M" : "L") + pixel(x) + " " + pixel(y);
  return path;
}

std::string look_of(std::string_view look) { return " class=\"" + std::string(look) + "\""; }

}  // namespace

void Svg::polygon(const std::vector<Point>& points, std::string_view look) {
  body_ += "<path" + look_of(look) + " d=\"" + path_through(points) + "Z\"/>\n";
}

void Svg::line(const std::vector<Point>& points, std::string_view look) {
  body_ += "<path" + look_of(look) + " d=\"" + path_through(points) + "\"/>\n";
}

void Svg::dots(const std::vector<Point>& points, std::string_view look) {
  std::string path;
  for (const auto& [x, y] : points) path += "M" + pixel(x) + " " + pixel(y) + "h0";  // a point, drawn by its round cap
  body_ += "<path" + look_of(look) + " d=\"" + path + "\"/>\n";
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view look) {
  body_ += "<rect" + look_of(look) + " x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\" width=\"" + pixel(width) + "\" height=\"" +
           pixel(height) + "\"/>\n";
}

void Svg::text(double x, double y, std::string_view words, std::string_view look) {
  body_ += "<text" + look_of(look) + " x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\">" + escaped_html(words) + "</text>\n";
}

void Svg::clip(double x, double y, double width, double height) {
  end_clip();
  if (!(width > 0)) return;
  const std::string name = "c" + std::to_string(++clips_);
  definitions_ += "<clipPath id=\"" + name + "\"><rect x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\" width=\"" + pixel(width) +
                  "\" height=\"" + pixel(height) + "\"/></clipPath>\n";
  body_ += "<g clip-path=\"url(#" + name + ")\">\n";
  clipping_ = true;
}

void Svg::end_clip() {
  if (clipping_) body_ += "</g>\n";
  clipping_ = false;
}

std::string Svg::text(std::string_view style, std::string_view title) const {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + pixel(width_) + " " + pixel(height_) + "\" width=\"" +
         pixel(width_) + "\" height=\"" + pixel(height_) + "\" role=\"img\">\n<title>" + escaped_html(title) +
         "</title>\n<style>" + std::string(style) + "</style>\n<defs>\n" + definitions_ + "</defs>\n" + body_ + "</svg>\n";
}

namespace {

constexpr double panel_width = 180, panel_height = 120, gap = 14, left_margin = 40, right_margin = 12, title_height = 18,
                 set_title = 34, axis = 20, legend = 34;
constexpr std::size_t columns = 6;

constexpr const char* style =
    "text{font:11px system-ui,sans-serif;fill:#52606d}.set{font-size:15px;font-weight:600;fill:#1f2933}.name{fill:#1f2933}"
    ".frame{fill:none;stroke:#cbd2d9}.grid{fill:none;stroke:#e4e7eb}.tick{text-anchor:end}.below{text-anchor:middle}"
    ".r0{fill:#d6e6f5}.r1{fill:#a9cbea}.r2{fill:#6fa5d8}.o0{fill:#d5efe3}.o1{fill:#a5dcc3}.o2{fill:#62bd97}"
    ".k0{fill:#ececec}.k1{fill:#d2d2d2}.k2{fill:#ababab}.f{fill:none;stroke:#1f2933;stroke-width:1.2}"
    ".dots{fill:none;stroke:#1f2933;stroke-opacity:.45;stroke-width:1.8;stroke-linecap:round}";

struct Range {
  double low, high;
};

// The range of all data and of most interval ends. The rest is cut off, so that one method with very wide intervals does not
// flatten the others.
Range range_of(const PanelRow& row) {
  std::vector<double> ends;
  for (const auto& [x, y] : row.data) ends.push_back(y);
  for (const auto& panel : row.panels)
    for (const auto& at : panel.ribbons.front()) {
      if (std::isfinite(at.lower)) ends.push_back(at.lower);
      if (std::isfinite(at.upper)) ends.push_back(at.upper);
    }
  std::sort(ends.begin(), ends.end());
  const auto at = [&](double share) { return ends[static_cast<std::size_t>(share * static_cast<double>(ends.size() - 1))]; };
  const double low =
      std::min(at(0.03), row.data.empty() ? at(0.03) : std::min_element(row.data.begin(), row.data.end(), [](auto a, auto b) {
                                                         return a.second < b.second;
                                                       })->second);
  const double high =
      std::max(at(0.97), row.data.empty() ? at(0.97) : std::max_element(row.data.begin(), row.data.end(), [](auto a, auto b) {
                                                         return a.second < b.second;
                                                       })->second);
  const double margin = 0.04 * (high - low);
  return {low - margin, high + margin};
}

// 1, 2 or 5 times a power of ten, so that there are three to six ticks.
double tick_step(const Range& range) {
  const double rough = (range.high - range.low) / 5;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

class PanelDrawing {
 public:
  PanelDrawing(Svg& svg, double x, double y, const Range& range) : svg_(svg), x_(x), y_(y), range_(range) {}

  void draw(const PlotPanel& panel, const std::vector<Point>& data, bool first, char colour) {
    svg_.text(x_, y_ - 6, panel.title, "name");
    const double step = tick_step(range_);
    for (double tick = std::ceil(range_.low / step) * step; tick <= range_.high; tick += step) {
      svg_.line({{x_, down(tick)}, {x_ + panel_width, down(tick)}}, "grid");
      if (first) svg_.text(x_ - 5, down(tick) + 4, print_rounded(std::abs(tick) < 1e-9 * step ? 0 : tick), "tick");
    }
    svg_.clip(x_, y_, panel_width, panel_height);
    for (std::size_t level = 0; level < panel.ribbons.size(); ++level)
      ribbon(panel.ribbons[level], std::string(1, colour) + std::to_string(level));
    std::vector<Point> points, line;
    for (const auto& [x, y] : data) points.emplace_back(across(x), down(y));
    for (const auto& [x, y] : panel.f) line.emplace_back(across(x), down(y));
    svg_.dots(points, "dots");
    svg_.line(line, "f");
    svg_.clip(0, 0, 0, 0);
    svg_.rectangle(x_, y_, panel_width, panel_height, "frame");
    for (const double tick : {-1.0, 0.0, 1.0})
      svg_.text(across(tick) + (tick < 0 ? 6 : tick > 0 ? -4 : 0), y_ + panel_height + 13, print_rounded(tick), "below");
  }

 private:
  double across(double x) const { return x_ + 0.5 * (x + 1) * panel_width; }
  double down(double y) const { return y_ + (range_.high - y) / (range_.high - range_.low) * panel_height; }

  void ribbon(const std::vector<Ribbon>& ends, const std::string& look) {
    std::vector<Point> points;
    for (const auto& at : ends) points.emplace_back(across(at.x), down(at.upper));
    for (auto at = ends.rbegin(); at != ends.rend(); ++at) points.emplace_back(across(at->x), down(at->lower));
    svg_.polygon(points, look);
  }

  Svg& svg_;
  double x_, y_;
  Range range_;
};

void draw_legend(Svg& svg) {
  double x = left_margin;
  const auto entry = [&](const std::string& words, double width) {
    svg.text(x + 20, 17, words, "name");
    x += width;
  };
  const char* shares[] = {"95 %", "90 %", "68 %"};
  for (int level = 0; level < 3; ++level) {
    for (int colour = 0; colour < 3; ++colour)
      svg.rectangle(x - 28 + 15 * colour + 28, 7, 13, 12, std::string(1, "rok"[colour]) + std::to_string(level));
    x += 28;
    entry(shares[level], 70);
  }
  svg.line({{x, 13}, {x + 15, 13}}, "f");
  entry("f(x)", 60);
  svg.dots({{x + 3, 11}, {x + 8, 15}, {x + 13, 10}}, "dots");
  entry("test rows", 90);
  svg.text(x, 17, "blue: the paper's methods; green: what Taut adds; grey: the best that is possible, around the true mean",
           "name");
}

}  // namespace

std::string draw_panels(const std::vector<PanelRow>& rows) {
  const std::size_t maximum = std::max_element(rows.begin(), rows.end(), [](const PanelRow& a, const PanelRow& b) {
                                return a.panels.size() < b.panels.size();
                              })->panels.size();
  const auto lines = static_cast<double>((maximum + columns - 1) / columns);
  const double line_height = title_height + panel_height + axis, row_height = set_title + lines * line_height;
  Svg svg(left_margin + columns * panel_width + (columns - 1) * gap + right_margin,
          legend + static_cast<double>(rows.size()) * row_height);
  draw_legend(svg);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double top = legend + static_cast<double>(r) * row_height;
    svg.text(left_margin, top + 20, rows[r].title, "set");
    const Range range = range_of(rows[r]);
    for (std::size_t p = 0; p < rows[r].panels.size(); ++p) {
      const PlotPanel& panel = rows[r].panels[p];
      const char colour = p + 1 == rows[r].panels.size() ? 'k' : panel.own ? 'o' : 'r';
      const double x = left_margin + static_cast<double>(p % columns) * (panel_width + gap);
      const double y = top + set_title + static_cast<double>(p / columns) * line_height + title_height;
      PanelDrawing(svg, x, y, range).draw(panel, rows[r].data, p % columns == 0, colour);
    }
  }
  return svg.text(style, "Intervals of every method on the synthetic sets");
}

}  // namespace taut
