// Options of streams, shared by stream, update, evaluate --in-order and report --in-order.
#pragma once

#include <cli/arguments.hpp>
#include <cli/terminal.hpp>
#include <taut/model/model.hpp>

namespace taut {

class StreamArguments {
 public:
  void add(Arguments& arguments);
  // The checked options. An option that was not given stays as in the model.
  StreamOptions read() const;
  bool given() const;
  static std::string names();  // of all options, for messages

 private:
  StreamOptions options_;
};

// For commands that take rows in any order. Throws Error if some inputs of the model are made from earlier rows.
void refuse_model_with_past(const Model& model);

// The inputs of the model that are columns of the table: all but those that are made from earlier rows, which come last and with
// which nothing can be wrong.
TableView inputs_of_stream(const Model& model, const TableView& table);

// Counts the covered targets of a stream, and prints coverage and the present level for each confidence.
class StreamTally {
 public:
  void add(const Streamed& streamed);
  Index rows() const { return rows_; }
  // `state` is the state after the last row.
  void print_summary(const std::string& what, Index refits, const LevelStream* state, Terminal& terminal) const;

 private:
  Index rows_ = 0, targets_ = 0, repeated_ = 0;
  std::vector<double> levels_;
  std::vector<Index> covered_, infinite_;
};

}  // namespace taut
