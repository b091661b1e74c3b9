// Small multiples: rows of panels that share their axes.
#pragma once

#include <experiments/svg.hpp>

#include <string>
#include <vector>

namespace taut {

struct Ribbon {
  double x, lower, upper;
};

struct Panel {
  std::string title;
  bool own = false;                          // of Taut's: drawn in another colour
  std::vector<Point> f = {};                 // x, y
  std::vector<std::vector<Ribbon>> ribbons;  // widest first
};

struct PanelRow {
  std::string title;
  std::vector<Point> data;
  std::vector<Panel> panels;
};

std::string draw_panels(const std::vector<PanelRow>& rows);

}  // namespace taut
