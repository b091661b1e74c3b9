// The column that says when a row was, for rows that come one after another.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table_view.hpp>

#include <string>
#include <vector>

namespace taut {

// How the column is read: numbers, dates, or texts that are one of these in `rows`. Anything else is an Error.
Column time_column(const TableView& table, const std::string& name, RowsView rows);

// The times of some rows, in seconds since 1970-01-01 for dates. A row without a time is an Error.
std::vector<double> times_of(const TableView& table, const Column& time, RowsView rows);

// Rows in the order of their times; those of equal times stay as they stand.
struct TimeOrder {
  Rows order;              // positions among the rows
  Index out_of_order = 0;  // rows that come after a later one
  Index repeated = 0;      // rows whose time another row has
  Index gaps = 0;          // steps that are longer than twice the usual one, which is their median
  double usual_step = 0, longest_step = 0;
  double first = 0, last = 0;

  // Sentences on what a user should know: rows that were sorted, repeated times, gaps.
  std::vector<std::string> in_words(const Column& time) const;
};
TimeOrder time_order(std::span<const double> times);

// Puts rows in the order of their times, tells what a user should know of these, and gives the latest.
double sort_by_time(const TableView& table, const Column& time, Rows& rows, const ExecutionContext& context);

// Where inputs are made from the rows before (--lags, --rolling): an Error where many rows have the time of another one, as
// those of several series in one table do. The row before would then be one of another series, and of the same time.
void refuse_repeated_times(const TableView& table, const Column& time, RowsView rows);

// For rows of a stream: their times must not fall, nor lie before `latest`, unless `allow_older`; equal ones are counted. Gives
// the latest up to each row; nothing where there is no such column.
std::vector<double> times_in_order(const TableView& table, const Column& time, double latest, bool allow_older, Index& repeated);

// All rows of a table in the order of their times; as they stand where there is no such column.
Rows order_of_time(const TableView& table, const Column& time);

// A time as a person writes it: a date, or the number.
std::string time_in_words(double time, const Column& column);

}  // namespace taut
