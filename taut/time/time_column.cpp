#include <taut/time/time_column.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/date_text.hpp>
#include <taut/data/kinds/kinds.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr double day = 86400;

std::string two_digits(std::int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); }

// "3 h", "2 days": steps between dates are seconds.
std::string describe_step(double step, const Column& column) {
  if (column.kind != ColumnKind::date) return print_rounded(step, 6);
  if (step >= day) return print_rounded(step / day, 6) + (step == day ? " day" : " days");
  return step >= 3600 ? print_rounded(step / 3600, 6) + " h" : print_rounded(step, 6) + " s";
}

}  // namespace

Column time_column(const TableView& table, const std::string& name, RowsView rows) {
  const Column& found = table.columns()[static_cast<std::size_t>(table.require(name))];
  if (!found.is_categorical()) return {.name = name, .kind = found.kind, .format = found.format};
  const TableView alone = table.matched({found});
  InferredColumn judged = infer_columns(alone, rows).front();
  if (judged.use == InferredColumn::Use::unclear)
    throw Error(format_text("{}, column '{}' of --order-by: {}", table.source(), name, judged.words));
  if (judged.column.kind == ColumnKind::number || judged.column.kind == ColumnKind::date)
    return {.name = name, .kind = judged.column.kind, .format = judged.column.format};
  throw Error(
      format_text("{}: the column '{}' of --order-by holds neither numbers nor dates; allowed are numbers and dates such as "
                  "2024-05-02 or 2024-05-02T13:00:00Z",
                  table.source(), name));
}

std::vector<double> times_of(const TableView& table, const Column& time, RowsView rows) {
  const TableView alone = table.matched({time});
  std::vector<double> times;
  times.reserve(rows.size());
  for (const Index row : rows) {
    times.push_back(alone(row, 0));
    if (!std::isfinite(times.back()))
      throw Error(
          format_text("{}: a row that is ordered by this column needs a time, and this cell is missing or cannot be read as "
                      "{}; correct or remove the row",
                      table.where(row, table.require(time.name)), time.kind == ColumnKind::date ? "a date" : "a number"));
  }
  return times;
}

TimeOrder time_order(std::span<const double> times) {
  TimeOrder result;
  result.order = all_rows(std::ssize(times));
  if (times.empty()) return result;
  const auto at = [&](Index row) { return times[static_cast<std::size_t>(row)]; };
  double latest = times.front();
  for (const double time : times) {
    result.out_of_order += time < latest ? 1 : 0;
    latest = std::max(latest, time);
  }
  std::stable_sort(result.order.begin(), result.order.end(), [&](Index a, Index b) { return at(a) < at(b); });
  result.first = at(result.order.front());
  result.last = at(result.order.back());
  std::vector<double> steps;
  for (std::size_t i = 1; i < result.order.size(); ++i) {
    const double step = at(result.order[i]) - at(result.order[i - 1]);
    if (step > 0)
      steps.push_back(step);
    else
      ++result.repeated;
  }
  if (steps.empty()) return result;
  std::vector<double> sorted = steps;
  const auto middle = sorted.begin() + std::ssize(sorted) / 2;
  std::nth_element(sorted.begin(), middle, sorted.end());
  result.usual_step = *middle;
  for (const double step : steps) result.gaps += step > 2 * result.usual_step ? 1 : 0;
  result.longest_step = *std::max_element(steps.begin(), steps.end());
  return result;
}

std::vector<std::string> TimeOrder::describe(const Column& time) const {
  std::vector<std::string> words;
  if (out_of_order > 0)
    words.push_back(format_text("by '{}' {} {} after later ones: sorted", time.name, counted(out_of_order, "row"),
                                out_of_order == 1 ? "comes" : "come"));
  if (repeated > 0)
    words.push_back(format_text("by '{}' {} {} the time of another row; rows of one time stay in the order of the file",
                                time.name, counted(repeated, "row"), repeated == 1 ? "has" : "have"));
  if (gaps > 0)
    words.push_back(
        format_text("by '{}' there {} {}: the usual step is {}, the longest {}; --delay, --gap and windows count rows, "
                    "not time",
                    time.name, gaps == 1 ? "is" : "are", counted(gaps, "gap"), describe_step(usual_step, time),
                    describe_step(longest_step, time)));
  return words;
}

double sort_by_time(const TableView& table, const Column& time, Rows& rows, const ExecutionContext& context) {
  const TimeOrder found = time_order(times_of(table, time, rows));
  for (const auto& words : found.describe(time)) context.tell(table.source() + ": " + words);
  Rows sorted;
  for (const Index position : found.order) sorted.push_back(rows[static_cast<std::size_t>(position)]);
  rows = std::move(sorted);
  return found.last;
}

void refuse_repeated_times(const TableView& table, const Column& time, RowsView rows) {
  if (time.name.empty() || !find_column(table.columns(), time.name)) return;
  constexpr Index one_in = 20;  // fewer repeats are tolerated: a clock that is set back, duplicate entries
  const Index repeated = time_order(times_of(table, time, rows)).repeated;
  if (repeated * one_in <= std::ssize(rows)) return;
  throw Error(format_text(
      "{}: --lags and --rolling count rows, and by '{}' {} of {} {} the time of another row, as if several series "
      "(shops, sensors) were in one table: the previous row would belong to another series, with a target of the "
      "same time, which is not known yet. Fit each series by itself, or add columns with the past of each series "
      "and leave --lags and --rolling out. If it is one series whose rows are in order in the file, give "
      "--in-order without --order-by",
      table.source(), time.name, print_count(repeated), counted(std::ssize(rows), "row"), repeated == 1 ? "has" : "have"));
}

Rows order_of_time(const TableView& table, const Column& time) {
  if (time.name.empty() || !find_column(table.columns(), time.name)) return all_rows(table.rows());
  return time_order(times_of(table, time, all_rows(table.rows()))).order;
}

std::string describe_time(double time, const Column& column) {
  if (column.kind != ColumnKind::date) return print_number(time);
  const double days = std::floor(time / day);
  const CalendarDay date = calendar_day(static_cast<std::int64_t>(days));
  const auto seconds = static_cast<std::int64_t>(time - days * day);
  std::string text = std::to_string(date.year) + "-" + two_digits(date.month) + "-" + two_digits(date.day);
  if (seconds > 0)
    text += " " + two_digits(seconds / 3600) + ":" + two_digits(seconds / 60 % 60) + ":" + two_digits(seconds % 60);
  return text;
}

std::vector<double> times_in_order(const TableView& table, const Column& time, double latest, bool allow_older, Index& repeated) {
  if (time.name.empty()) return {};
  auto times = times_of(table, time, all_rows(table.rows()));
  double last = latest;
  for (std::size_t row = 0; row < times.size(); ++row) {
    if (times[row] < last && !allow_older)
      throw Error(
          format_text("{}: the time {} is older than {}, which {}; give rows in the order of their times and each once, or use "
                      "--allow-older",
                      table.where(static_cast<Index>(row), table.require(time.name)), describe_time(times[row], time),
                      describe_time(last, time), row == 0 || last == latest ? "the model has seen already" : "came before it"));
    repeated += times[row] == last ? 1 : 0;
    times[row] = last = std::max(last, times[row]);
  }
  return times;
}

}  // namespace taut
