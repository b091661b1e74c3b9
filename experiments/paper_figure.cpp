#include <experiments/paper_figure.hpp>

#include <experiments/jobs.hpp>
#include <experiments/markdown.hpp>
#include <experiments/oracle.hpp>
#include <experiments/svg.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/version.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr int grid_points = 161;

double grid_at(int i) { return -1 + 2.0 * i / (grid_points - 1); }

Table grid_table() {
  Table table;
  table.source = "the grid";
  for (const char* name : {"x", "x2"}) table.columns.push_back({name});
  table.values.resize(grid_points, 2);
  for (int i = 0; i < grid_points; ++i) table.values.row(i) << grid_at(i), grid_at(i) * grid_at(i);
  return table;
}

// The name of the value of f or of an end of an interval at a point of the grid.
std::string end_name(const char* end, std::size_t level, int i) { return format_text("{}{}_{}", end, level, i); }

NamedValues draw(Setting& setting, const Method& method, const ExecutionContext& context) {
  const Table grid = setting.with_prediction(grid_table(), context);
  NamedValues values;
  for (std::size_t level = 0; level < paper_alphas.size(); ++level) {
    Method focused = method;
    if (method.focuses) focused.options.focus = paper_levels()[level];
    if (level > 0 && !method.focuses) break;
    const Regressor model = setting.fit(focused, context);
    const Predicted predicted = model.predict_interval(grid, paper_levels(), context);
    for (std::size_t each = 0; each < paper_alphas.size(); ++each) {
      if (method.focuses && each != level) continue;
      for (int i = 0; i < grid_points; ++i) {
        values.emplace_back(end_name("lower", each, i), predicted.at(i, each).lower);
        values.emplace_back(end_name("upper", each, i), predicted.at(i, each).upper);
      }
    }
    if (level == 0)
      for (int i = 0; i < grid_points; ++i)
        values.emplace_back(end_name("f", 0, i), predicted.prediction[static_cast<std::size_t>(i)]);
  }
  return values;
}

PlotPanel panel_of(const Method& method, bool own, const NamedValues& values) {
  PlotPanel panel{(own ? "Taut: " : "") + method.name, own, {}, {}};
  // Sorted for binary search: value_named is linear, and there are about a thousand names.
  NamedValues sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const auto value = [&](const std::string& name) {
    return std::lower_bound(sorted.begin(), sorted.end(), std::make_pair(name, -infinity))->second;
  };
  for (int i = 0; i < grid_points; ++i) panel.f.emplace_back(grid_at(i), value(end_name("f", 0, i)));
  for (std::size_t level = 0; level < paper_alphas.size(); ++level) {
    auto& ribbon = panel.ribbons.emplace_back();
    for (int i = 0; i < grid_points; ++i)
      ribbon.push_back({grid_at(i), value(end_name("lower", level, i)), value(end_name("upper", level, i))});
  }
  return panel;
}

// The smallest possible intervals around the true mean of y.
PlotPanel oracle_panel(const DataSet& set, Index seed) {
  const auto noise = synthetic_sets().make(set.name);
  const Table truth = synthetic_table(*noise, 3, static_cast<std::uint64_t>(seed), true);
  // Three rows determine the parabola (Lagrange).
  const auto mean = [&](double x) {
    double sum = 0;
    for (Index i = 0; i < 3; ++i) {
      double term = truth.values(i, truth.require("f"));
      for (Index j = 0; j < 3; ++j)
        if (j != i) term *= (x - truth.values(j, 0)) / (truth.values(i, 0) - truth.values(j, 0));
      sum += term;
    }
    return sum;
  };
  PlotPanel panel{"oracle: smallest possible", false, {}, {}};
  for (int i = 0; i < grid_points; ++i) panel.f.emplace_back(grid_at(i), mean(grid_at(i)));
  for (std::size_t level = 0; level < paper_alphas.size(); ++level) {
    const auto half = oracles(*noise, paper_levels()[level]).back().half_widths;
    auto& ribbon = panel.ribbons.emplace_back();
    const auto& grid = oracle_grid();
    for (std::size_t i = 0; i < grid.size(); i += 10)
      ribbon.push_back({grid[i], mean(grid[i]) - half[i], mean(grid[i]) + half[i]});
  }
  return panel;
}

std::vector<DataSet> synthetic_of(const TableSettings& settings) {
  std::vector<DataSet> sets = named_data_sets(settings.datasets);
  std::erase_if(sets, [](const DataSet& set) { return !set.synthetic(); });
  if (sets.empty())
    throw UsageError("the figure shows synthetic sets only, and --datasets names none; allowed: cos, squared, inverse, linear");
  return sets;
}

}  // namespace

std::string paper_figure(const TableSettings& settings, const ExecutionContext& context) {
  if (settings.seed < 0) throw UsageError(format_text("--seed must be at least 0, got {}", settings.seed));
  if (settings.protocol != "paper") throw UsageError("the figure is drawn in the paper's protocol; leave --protocol out");
  const auto sets = synthetic_of(settings);
  const auto methods = named_methods(settings.methods);
  std::vector<std::shared_ptr<Setting>> settings_of_sets;
  std::vector<Job> jobs;
  for (const auto& set : sets) {
    const auto setting = std::make_shared<Setting>(set, nullptr, Protocol::paper, settings.seed);
    settings_of_sets.push_back(setting);
    for (const auto& method : methods)
      jobs.push_back({"figure " + std::string(version) + " " + set.name + " " + method.name + " " +
                          describe_options(setting->options_for(method)),
                      method.focuses ? 3.0 : 1.0,
                      [setting, method](const ExecutionContext& inner) { return draw(*setting, method, inner); }});
  }
  const auto drawn = run_jobs(std::move(jobs), settings.resume, "drawing the figure", context);

  std::vector<PanelRow> rows;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    PanelRow& row = rows.emplace_back(PanelRow{sets[s].name, {}, {}});
    const Table& test = settings_of_sets[s]->test_rows(context);
    const Index x = test.require("x"), y = test.require("y");
    for (Index i = 0; i < test.rows(); ++i) row.data.emplace_back(test.values(i, x), test.values(i, y));
    for (std::size_t m = 0; m < methods.size(); ++m)
      row.panels.push_back(panel_of(methods[m], is_own(methods[m]), drawn[s * methods.size() + m]));
    row.panels.push_back(oracle_panel(sets[s], settings.seed));
  }
  return draw_panels(rows);
}

std::string figure_page(const std::string& svg, const TableSettings& settings) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Intervals on the synthetic sets</title>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:1240px;padding:0 1rem;color:#1f2933}"
         "svg{width:100%;height:auto}</style></head><body>\n<h1>Intervals on the synthetic sets</h1>\n"
         "<p>Each picture shows the same test rows (dots), the predictor f (line) and the intervals of one method: the darkest "
         "ribbon is meant to hold 68 % of the rows, the middle one 90 %, the lightest 95 %. f and the transformation learned "
         "from 400 rows each, the 200 rows shown calibrate. The last picture of each set has the smallest intervals that are "
         "possible, around the true mean.</p>\n" +
         svg + "<p>Taut " + std::string(version) + ", seed " + std::to_string(settings.seed) + ", " + today() +
         ": <code>taut reproduce figure</code></p>\n</body></html>\n";
}

}  // namespace taut
