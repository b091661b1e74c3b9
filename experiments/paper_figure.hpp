// The paper's figure: data, f and the intervals of every method at three levels over x, on the four synthetic sets.
#pragma once

#include <experiments/paper_table.hpp>

namespace taut {

// Returns an SVG file. Uses the data sets (synthetic ones only), methods, seed and resume file of the settings.
std::string paper_figure(const TableSettings& settings, const ExecutionContext& context);

// An HTML page with the figure and a short explanation.
std::string figure_page(const std::string& svg, const TableSettings& settings);

}  // namespace taut
