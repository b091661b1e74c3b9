// Protects the state of a stream: a journal on disk, and a rollback of calls that fail.
#pragma once

#include <taut/model/model.hpp>
#include <taut/model/parts.hpp>

#include <cstdio>
#include <string>

namespace taut {

// The journal is the file FILE.journal next to the model file. It contains the rows that were streamed since the model was saved.
// Each row is written before its prediction is output, so a killed stream loses no row with an output. The journal is removed
// when the model is saved again.
std::string journal_name(const std::string& model_file);

class StreamJournal {
 public:
  // Begins an empty journal for the file of a model that was just saved.
  explicit StreamJournal(const std::string& model_file);
  ~StreamJournal();
  StreamJournal(const StreamJournal&) = delete;
  StreamJournal& operator=(const StreamJournal&) = delete;

  void add(const Streamed& streamed);
  void remove();
  Index rows() const { return rows_; }

 private:
  std::string name_;
  std::FILE* file_;
  Index rows_ = 0;
};

// The rows of the journal of this file, with `cells` cells each. Empty if there is no journal, or if it belongs to another
// version of the file. An incomplete last row is skipped: its prediction was not output.
std::vector<StreamRecord> journal_rows(const std::string& model_file, std::size_t cells);

// Repeats the rows of the journal on a model that was loaded from this file. Returns the number of rows.
Index replay_journal(Model& model, const std::string& model_file, const ExecutionContext& context = {});

// Makes a call that streams rows succeed or leave the model as it was. The destructor restores the stream, the past inputs, the
// row history and a model that a refit has replaced, unless keep() was called.
class StreamRollback {
 public:
  // `wanted`: false if nothing can fail after the first change. The copies grow with the window and the history, which is too
  // expensive for a call with a single row.
  StreamRollback(std::unique_ptr<ModelParts>& parts, bool wanted);
  ~StreamRollback();
  StreamRollback(const StreamRollback&) = delete;
  StreamRollback& operator=(const StreamRollback&) = delete;

  void keep();

 private:
  std::unique_ptr<ModelParts>& parts_;
  bool wanted_;
  std::optional<LevelStream> stream_;
  PastInputs past_;
  std::optional<RowHistory> history_;
  SeenRows seen_rows_;
  KeptRows kept_;
  double latest_ = 0;
};

// Copies a stream by saving and loading it, which preserves every bit.
std::optional<LevelStream> copied(const std::optional<LevelStream>& stream);

}  // namespace taut
