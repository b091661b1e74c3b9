#include <taut/plan/named_columns.hpp>

#include <taut/calibrate/groups/group_columns.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/data/similar_column.hpp>
#include <taut/options/given_columns.hpp>
#include <taut/plan/columns.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

namespace {

// The names in the options, each with its option.
class NamedColumns {
 public:
  explicit NamedColumns(const TableView& table) : table_(table), names_(table.names()) {}

  void add(const std::string& option, const std::string& name) {
    if (name.empty() || find_column(table_.columns(), name)) return;
    if (!columns_sharing_name(name, names_).empty()) throw Error(missing_column(table_.source(), name, names_));
    const auto guess = similar_column(name, names_);
    words_.push_back(
        format_text("'{}'{}, which {} names", name, guess ? format_text(" (did you mean '{}'?)", *guess) : "", option));
    options_.push_back(option);
    missing_.push_back(name);
  }
  void add(const std::string& option, const std::vector<std::string>& names) {
    for (const auto& name : names) add(option, name);
  }

  // A wrong name of the target alone has the message that other commands give.
  void check() const {
    if (words_.empty()) return;
    if (words_.size() == 1 && options_.front() == "--target")
      throw Error(missing_column(table_.source(), missing_.front(), names_));
    constexpr std::size_t max_listed = 40;
    throw Error(format_text("{}: there {} {}; the columns are: {}{}", table_.source(),
                            words_.size() == 1 ? "is no column" : "are no columns", join(words_, "; "),
                            join(std::span(names_).first(std::min(max_listed, names_.size())), ", "),
                            names_.size() > max_listed ? format_text(", ... ({} in all)", names_.size()) : ""));
  }

 private:
  const TableView& table_;
  std::vector<std::string> names_, words_, options_, missing_;
};

// Columns that calibration rows need too.
void add_columns_of_rows(NamedColumns& named, const TableView& table, const FitOptions& options) {
  named.add("--target", target_names(table, options));
  named.add("--prediction", options.prediction);
  named.add("--lower-prediction", options.lower_prediction);
  named.add("--upper-prediction", options.upper_prediction);
  for (const auto& text : options.quantile_columns) named.add("--quantile-columns", name_of_quantile_column(text));
  named.add("--sample-columns", options.sample_columns);
  named.add("--by", columns_of_groups(options.by, "--by", table.columns()));
  named.add("--keep-together", options.keep_together);
  named.add("--order-by", options.order_by);
  named.add("--exposure", options.exposure);
  if (options.calibrate_by_weight) named.add("--sample-weight", options.sample_weight);
}

}  // namespace

void check_named_columns(const TableView& table, const FitOptions& asked) {
  const FitOptions options = with_given_columns(asked, table.names());
  NamedColumns named(table);
  add_columns_of_rows(named, table, options);
  named.add("--drop", options.drop);
  if (!options.calibrate_by_weight) named.add("--sample-weight", options.sample_weight);
  named.add("--past-of", options.past_of);
  named.add("--increasing", options.increasing);
  named.add("--decreasing", options.decreasing);
  const std::pair<std::string, const std::vector<std::string>&> declared[] = {{"--categorical", options.categorical},
                                                                              {"--numeric", options.numeric},
                                                                              {"--date", options.date},
                                                                              {"--ordered", options.ordered}};
  for (const auto& [option, texts] : declared)
    for (const auto& text : texts)
      named.add(option, option == "--date" || option == "--ordered" ? parse_declaration(text, table).name : text);
  named.check();
}

void check_calibration_columns(const TableView& calibration, const FitOptions& options) {
  NamedColumns named(calibration);
  add_columns_of_rows(named, calibration, options);
  named.check();
  if (options.skip_missing_target) return;
  const Rows rows = rows_of_calibration(calibration, options, {}, HasTargets::all);
  for (const auto& name : target_names(calibration, options)) {
    const Index target = calibration.require(name);
    for (const Index row : rows)
      if (std::isnan(calibration(row, target)))
        throw Error(
            format_text("{}: this calibration row has no target; correct or remove it, or give --skip-missing-target, which "
                        "leaves out rows without a target",
                        calibration.where(row, target)));
  }
}

}  // namespace taut
