// SVG drawings, and small multiples: rows of panels that share their axes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taut {

// Shapes in pixels become the text of an SVG file.
using Point = std::pair<double, double>;

class Svg {
 public:
  Svg(double width, double height) : width_(width), height_(height) {}

  // `look` is the CSS class of the shape, which `style` defines.
  void polygon(const std::vector<Point>& points, std::string_view look);
  void line(const std::vector<Point>& points, std::string_view look);
  void dots(const std::vector<Point>& points, std::string_view look);
  void rectangle(double x, double y, double width, double height, std::string_view look);
  void text(double x, double y, std::string_view words, std::string_view look);
  // Clips all following shapes at this rectangle, until the next call. A width of 0 ends the clipping.
  void clip(double x, double y, double width, double height);

  std::string text(std::string_view style, std::string_view title) const;

 private:
  void end_clip();

  double width_, height_;
  std::string body_, definitions_;
  int clips_ = 0;
  bool clipping_ = false;
};

// Small multiples: rows of panels that share their axes.

struct Ribbon {
  double x, lower, upper;
};

struct PlotPanel {
  std::string title;
  bool own = false;                          // added by Taut: drawn in another colour
  std::vector<Point> f = {};                 // x, y
  std::vector<std::vector<Ribbon>> ribbons;  // widest first
};

struct PanelRow {
  std::string title;
  std::vector<Point> data;
  std::vector<PlotPanel> panels;
};

std::string draw_panels(const std::vector<PanelRow>& rows);

}  // namespace taut
