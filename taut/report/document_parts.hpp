// Parts of the page's document that are the same for intervals and for sets.
#pragma once

#include <taut/report/facts.hpp>
#include <taut/report/json.hpp>
#include <taut/report/level_summary.hpp>

namespace taut {

inline constexpr std::size_t longest_name = 60;

Json levels_json(const std::vector<LevelSummary>& levels);
// `lower`: levels below those of the slider.
Json curve_json(const std::vector<LevelReport>& lower, const std::vector<LevelSummary>& levels);
// [low, high, rows, covered] of each bin.
Json widths_json(const std::vector<LevelSummary>& levels);
// Number of rows of a group -> per level, the least and the most covered rows that chance explains. Most groups share a size.
Json ranges_json(const DrawnColumns& drawn, const std::vector<LevelSummary>& levels);
Json failures_json(const std::vector<LevelSummary>& levels);
Json slabs_json(const std::vector<LevelSummary>& levels);
// Covered rows of a bin: what each level adds to the level before, small numbers where whole counts would be large ones.
Json covered_steps_json(const std::vector<LevelSummary>& levels, std::size_t column, std::size_t bin);
Json facts_json(const std::vector<FactGroup>& all, const std::vector<std::string>& all_commands);

}  // namespace taut
