#include <experiments/svg.hpp>

#include <taut/report/page.hpp>

#include <experiments/markdown.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// A tenth of a pixel is finer than anybody sees; far outside the picture viewers lose precision.
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

}  // namespace taut
