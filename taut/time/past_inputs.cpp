#include <taut/time/past_inputs.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/kinds.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

std::string lag_name(const std::string& source, Index lag) { return source + " lag " + std::to_string(lag); }
std::string mean_name(const std::string& source, Index rows) { return source + " mean of " + std::to_string(rows); }
std::string spread_name(const std::string& source, Index rows) { return source + " spread of " + std::to_string(rows); }

struct MeanAndSpread {
  double mean = missing, spread = missing;
};

// Ignores missing values. Computed from scratch for every row, so that rounding errors do not accumulate along a stream.
template <class ValueAt>
MeanAndSpread mean_and_spread(Index rows, ValueAt value_at) {
  double sum = 0, count = 0;
  for (Index i = 0; i < rows; ++i)
    if (const double value = value_at(i); !std::isnan(value)) {
      sum += value;
      count += 1;
    }
  if (count == 0) return {};
  const double mean = sum / count;
  double squares = 0;
  for (Index i = 0; i < rows; ++i)
    if (const double value = value_at(i); !std::isnan(value)) squares += (value - mean) * (value - mean);
  return {mean, count > 1 ? std::sqrt(squares / (count - 1)) : missing};
}

}  // namespace

PastInputs::PastInputs(const FitOptions& options) : lags_(options.lags), rolling_(options.rolling), delay_(options.delay) {}

PastInputs::PastInputs(const TableView& table, const FitOptions& options, RowsView selection_rows) : PastInputs(options) {
  std::vector<std::string> names = {options.target};
  names.insert(names.end(), options.past_of.begin(), options.past_of.end());
  for (const auto& name : names) {
    const Column& found = table.columns()[static_cast<std::size_t>(table.require(name))];
    if (found.kind == ColumnKind::date)
      throw Error(format_text("{}: the column '{}' of --past-of is a date; past dates carry no information, leave it out",
                              table.source(), name));
    Column column = number_column(table, name, selection_rows, options.declarations().decimal);
    column.is_strict = false;
    column.missing_words = options.na;
    sources_.push_back(std::move(column));
  }
  for (const Column& column : made())
    if (find_column(table.columns(), column.name))
      throw Error(
          format_text("{}: the column '{}' has the name of one that --lags or --rolling makes; rename it, or leave that "
                      "option out",
                      table.source(), column.name));
}

std::vector<Column> PastInputs::made() const {
  std::vector<Column> columns;
  for (const Column& source : sources_) {
    for (const Index lag : lags_) columns.push_back({.name = lag_name(source.name, lag)});
    for (const Index rows : rolling_) {
      columns.push_back({.name = mean_name(source.name, rows)});
      columns.push_back({.name = spread_name(source.name, rows)});
    }
  }
  return columns;
}

bool PastInputs::makes(const std::string& name) const { return find_column(made(), name).has_value(); }

Index PastInputs::reach() const {
  Index maximum = 0;
  for (const Index lag : lags_) maximum = std::max(maximum, lag);
  for (const Index rows : rolling_) maximum = std::max(maximum, rows + delay_);
  return maximum;
}

Matrix PastInputs::cells(const TableView& table) const {
  Matrix result(table.rows(), std::ssize(sources_));
  for (Index source = 0; source < std::ssize(sources_); ++source) {
    const Column& column = sources_[static_cast<std::size_t>(source)];
    const bool is_absent = source == 0 && !find_column(table.columns(), column.name);
    const TableView alone = is_absent ? table : table.matched({column});
    for (Index row = 0; row < table.rows(); ++row) result(row, source) = is_absent ? missing : alone(row, 0);
  }
  return result;
}

TableView PastInputs::extended(const TableView& table, RowsView order) const {
  const std::vector<Column> columns = made();
  const auto has = [&](const Column& column) { return find_column(table.columns(), column.name).has_value(); };
  if (std::all_of(columns.begin(), columns.end(), has)) return table;
  const Matrix own = cells(table);
  const auto remembered = std::ssize(recent_);
  TableView result = table;
  auto column = columns.begin();
  for (std::size_t source = 0; source < sources_.size(); ++source) {
    // Negative places are remembered rows.
    const auto at = [&](Index place) {
      if (place >= 0) return own(order[static_cast<std::size_t>(place)], static_cast<Index>(source));
      return place + remembered >= 0 ? recent_[static_cast<std::size_t>(place + remembered)][source] : missing;
    };
    for (const Index lag : lags_) {
      std::vector<double> values(order.size(), missing);
      for (Index place = 0; place < std::ssize(order); ++place)
        values[static_cast<std::size_t>(order[static_cast<std::size_t>(place)])] = at(place - lag);
      result.add(*column++, std::move(values));
    }
    for (const Index rows : rolling_) {
      std::vector<double> means(order.size(), missing), spreads = means;
      for (Index place = 0; place < std::ssize(order); ++place) {
        const Index last = place - 1 - delay_of(source);
        const MeanAndSpread found = mean_and_spread(rows, [&](Index i) { return at(last - i); });
        const auto row = static_cast<std::size_t>(order[static_cast<std::size_t>(place)]);
        means[row] = found.mean;
        spreads[row] = found.spread;
      }
      result.add(*column++, std::move(means));
      result.add(*column++, std::move(spreads));
    }
  }
  return result;
}

void PastInputs::remember(std::span<const double> cells) {
  recent_.emplace_back(cells.begin(), cells.end());
  if (std::ssize(recent_) > reach()) recent_.pop_front();
}

void PastInputs::remember(const Matrix& cells, RowsView order) {
  for (const Index row : order) {
    const auto own = cells.row(row);
    remember(std::span<const double>(own.data(), sources_.size()));
  }
}

void PastInputs::save(Archive archive) const {
  std::vector<double> cells;
  for (const auto& row : recent_) cells.insert(cells.end(), row.begin(), row.end());
  archive.put("cells", cells);
}

PastInputs PastInputs::load(const Archive& archive, std::vector<Column> sources, const FitOptions& options) {
  PastInputs past(options);
  past.sources_ = std::move(sources);
  const auto& cells = archive.get<std::vector<double>>("cells");
  bool holds = past.sources_.size() == options.past_of.size() + 1 && cells.size() % past.sources_.size() == 0;
  for (std::size_t i = 0; holds && i < past.sources_.size(); ++i)
    holds = past.sources_[i].name == (i == 0 ? options.target : options.past_of[i - 1]) && !past.sources_[i].is_categorical();
  if (!holds || static_cast<Index>(cells.size() / past.sources_.size()) > past.reach())
    throw Error("the model file's inputs from the past do not fit its options: it is damaged");
  for (std::size_t at = 0; at < cells.size(); at += past.sources_.size())
    past.remember(std::span<const double>(cells).subspan(at, past.sources_.size()));
  return past;
}

RowHistory::RowHistory(std::vector<Column> columns, Index every, Index maximum, Index lag) : columns_(std::move(columns)) {
  change(every, maximum, lag);
}

void RowHistory::change(Index every, Index maximum, Index lag) {
  if (every < 0) throw UsageError("--refit-every: a number of rows, or 0 for never; got " + std::to_string(every));
  if (maximum < 100 || maximum > max_possible)
    throw UsageError(format_text("--refit-rows: from 100 to {} rows, got {}", print_count(max_possible), maximum));
  if (lag < 0 || (every > 0 && lag >= every))
    throw UsageError(
        format_text("--refit-lag: a number of rows from 0 to less than --refit-every, which is {}; got {}", every, lag));
  every_ = every;
  maximum_ = maximum;
  lag_ = lag;
  while (rows() > maximum_ + lag_) rows_.pop_front();
}

Matrix RowHistory::cells(const TableView& table) const {
  std::vector<Column> present;
  for (const Column& column : columns_)
    if (&column != &columns_.back() || find_column(table.columns(), column.name)) present.push_back(column);
  const TableView matched = table.matched(present);
  Matrix result(table.rows(), std::ssize(columns_));
  for (Index row = 0; row < table.rows(); ++row)
    for (Index column = 0; column < std::ssize(columns_); ++column)
      result(row, column) = column < std::ssize(present) ? matched(row, column) : missing;
  return result;
}

void RowHistory::add(std::span<const double> cells) {
  rows_.emplace_back(cells.begin(), cells.end());
  if (rows() > maximum_ + lag_) rows_.pop_front();
}

// All texts that the model does not know become one additional category of the next fit.
Table RowHistory::table(Index since, Index unknown) const {
  Table table;
  table.source = "the rows of the stream";
  table.columns = columns_;
  for (Column& column : table.columns)
    if (column.is_categorical()) {
      std::string other = "other";
      while (std::find(column.categories.begin(), column.categories.end(), other) != column.categories.end()) other += "'";
      column.categories.push_back(other);
    }
  const Index count = std::max<Index>(0, rows_to_train(since, unknown)), first = std::max<Index>(0, rows() - since - maximum_);
  table.values = Matrix(count, std::ssize(columns_));
  for (Index row = 0; row < count; ++row)
    for (Index column = 0; column < std::ssize(columns_); ++column)
      table.values(row, column) = rows_[static_cast<std::size_t>(first + row)][static_cast<std::size_t>(column)];
  return table;
}

void RowHistory::save(Archive archive) const {
  archive.put("every", static_cast<std::int64_t>(every_));
  archive.put("most", static_cast<std::int64_t>(maximum_));
  archive.put("lag", static_cast<std::int64_t>(lag_));
  archive.put("fits", static_cast<std::int64_t>(fits_));
  std::vector<double> cells;
  for (const auto& row : rows_) cells.insert(cells.end(), row.begin(), row.end());
  archive.put("cells", cells);
}

RowHistory RowHistory::load(const Archive& archive, std::vector<Column> columns) {
  RowHistory history(std::move(columns), archive.integer_in("every", 0, std::int64_t{1} << 53),
                     archive.integer_in("most", 100, max_possible), archive.integer_in("lag", 0, std::int64_t{1} << 53));
  history.fits_ = archive.integer_in("fits", 0, std::int64_t{1} << 53);
  const auto& cells = archive.get<std::vector<double>>("cells");
  const std::size_t width = history.columns_.size();
  bool holds = width > 0 && cells.size() % width == 0;
  for (std::size_t i = 0; holds && i < cells.size(); ++i) {
    const Column& column = history.columns_[i % width];
    holds = !column.is_categorical() || is_code(column, cells[i]);
  }
  if (!holds) throw Error("the model file's rows do not fit its columns: it is damaged");
  for (std::size_t at = 0; at < cells.size(); at += width) history.add(std::span<const double>(cells).subspan(at, width));
  return history;
}

}  // namespace taut
