// Parts of the page's document that are the same for intervals and for sets.
#pragma once

#include <taut/report/facts.hpp>
#include <taut/report/json.hpp>
#include <taut/report/level_summary.hpp>
#include <taut/report/over_time.hpp>

#include <optional>

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
// Lists along time for each level, in the order of the slider's; what both share stands once. Some places along time are enough
// for a picture, the last among them.
Json over_time_json(const std::optional<OverTime>& given);
Json facts_json(const std::vector<FactGroup>& all, const std::vector<std::string>& all_commands);

}  // namespace taut
