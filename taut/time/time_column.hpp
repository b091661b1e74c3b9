// The time column, for rows that have an order.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table_view.hpp>

#include <string>
#include <vector>

namespace taut {

// How the column is read: as numbers or dates, which may be texts in the table. Anything else in `rows` is an Error.
Column time_column(const TableView& table, const std::string& name, RowsView rows);

// The times of some rows, in seconds since 1970-01-01 for dates. A row without a time is an Error.
std::vector<double> times_of(const TableView& table, const Column& time, RowsView rows);

// Rows in the order of their times; rows of equal times keep their order.
struct TimeOrder {
  Rows order;              // positions among the rows
  Index out_of_order = 0;  // rows that come after a later one
  Index repeated = 0;      // rows whose time another row has
  Index gaps = 0;          // steps that are longer than twice the usual one, which is their median
  double usual_step = 0, longest_step = 0;
  double first = 0, last = 0;

  // Sentences on what a user should know: rows that were sorted, repeated times, gaps.
  std::vector<std::string> describe(const Column& time) const;
};
TimeOrder time_order(std::span<const double> times);

// Sorts rows by time, tells the user about irregular times, and returns the latest time.
double sort_by_time(const TableView& table, const Column& time, Rows& rows, const ExecutionContext& context);

// For inputs from earlier rows (--lags, --rolling): an Error if many rows have the time of another one, as with several series in
// one table. The previous row would then belong to another series and have the same time.
void refuse_repeated_times(const TableView& table, const Column& time, RowsView rows);

// For rows of a stream: times must not decrease, nor lie before `latest`, unless `allow_older`. Equal times are counted in
// `repeated`. Returns the latest time up to each row, or nothing if there is no time column.
std::vector<double> times_in_order(const TableView& table, const Column& time, double latest, bool allow_older, Index& repeated);

// All rows of a table in the order of their times; in their present order if there is no time column.
Rows order_of_time(const TableView& table, const Column& time);

// A time as text: a date, or the number.
std::string describe_time(double time, const Column& column);

}  // namespace taut
