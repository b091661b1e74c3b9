// What is asked of every row of a table, and the answers as columns: the same for every task.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/result_writer.hpp>
#include <taut/data/table_view.hpp>
#include <taut/model/alarm.hpp>
#include <taut/model/group_columns.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace taut {

struct Asking {
  std::vector<std::string> levels = {};     // confidence levels of regions, as they were written: "0.90"
  std::vector<std::string> questions = {};  // further ones, by their names in the list of questions: "upper:0.95"
  std::string value_column = {};            // for questions about a given value
  std::optional<std::uint64_t> smoothing = {};  // a seed: ranks are random, so that coverage is exact on average
  std::uint64_t seed = 0;                   // of samples
  bool band = false;                        // probabilities with the two ends between which they are known
  bool wide = false;                        // a set as a column of 0 and 1 for each label
};

struct AnswerColumn {
  std::string name;
  bool is_text = false;
};

// Answers batch by batch. The model must outlive it.
class Answering {
 public:
  virtual ~Answering() = default;

  virtual std::vector<AnswerColumn> columns() const = 0;
  // The columns that rows must have.
  virtual std::vector<Column> schema() const = 0;
  virtual Index batch_rows() const { return 1 << 14; }
  // Of the next rows, a column for each of columns().
  virtual std::vector<ResultColumn> answer(const TableView& rows, const ExecutionContext& context) = 0;

  // Before the first row: what the model lacks for these questions. After the last: what should be known of the answers.
  virtual std::vector<std::string> warnings() const { return {}; }
  virtual std::vector<std::string> remarks() const { return {}; }
  virtual std::vector<Alarm> alarms() const = 0;
  // Rows of groups without calibration rows.
  const UnseenGroups& unseen() const { return unseen_; }

 protected:
  UnseenGroups unseen_;
};

}  // namespace taut
