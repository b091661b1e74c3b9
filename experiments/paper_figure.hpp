// The paper's figure: data, f and the intervals of every method at three levels over x, on the four synthetic sets.
#pragma once

#include <experiments/paper_table.hpp>

namespace taut {

// An SVG file. Of the settings it uses sets (synthetic ones only), methods, seed and the resume file.
std::string paper_figure(const TableSettings& settings, const ExecutionContext& context);

// The same in a page with a few words.
std::string figure_page(const std::string& svg, const TableSettings& settings);

}  // namespace taut
