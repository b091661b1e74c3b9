// What one confidence level comes to on all test rows.
#pragma once

#include <taut/metric/slab.hpp>
#include <taut/model/model.hpp>
#include <taut/report/bins.hpp>
#include <taut/report/regions.hpp>
#include <taut/report/words.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

// The test rows as all levels look at them.
struct TestRows {
  TestRows(const Model& model, const TableView& test, const ExecutionContext& context);

  const Model& model;
  std::vector<double> y, f;
  TableView features;             // the model's inputs, then the prediction; categories as codes
  MatrixF inputs;                 // as the metrics want them
  std::vector<double> residuals;  // |y - f|, sorted
  RegionSearch search;

  Index rows() const { return static_cast<Index>(y.size()); }
};

// The last column of TestRows::features.
inline constexpr std::string_view prediction_name = "prediction f(x)";

struct WidthBin {
  double low, high, mean;  // of the widths; infinite where they are
  Index rows, hits;
};

struct SlabInWords {
  std::string words;    // "rows with high x and low z"
  std::string formula;  // "0.1 ≤ 0.8 x − 0.6 z ≤ 1.2, columns standardised"
  Index rows = 0;       // of the half that judged it
  double coverage = 0;
};

struct LevelFigures {
  LevelReport report;  // as Model::evaluate has it, without what takes long unless that was asked for
  std::vector<WidthBin> by_width;
  std::vector<std::vector<Index>> hits;  // per column that is drawn, per bin
  double same_width = missing;           // mean width of one width everywhere that covers as many rows
  std::vector<Region> regions;
  std::optional<SlabInWords> slab;  // where what takes long was asked for

  Answer answer(const TestRows& rows, const std::string& unit) const;
};

enum class Effort { quick, all_metrics };

LevelFigures judge_level(const TestRows& rows, std::span<const Interval> intervals, double level, const std::vector<Bins>& drawn,
                         Effort effort, const ExecutionContext& context);

}  // namespace taut
