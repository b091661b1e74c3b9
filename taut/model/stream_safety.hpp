// What keeps the state of a stream safe: a journal on disk, and a way back from a call that fails.
#pragma once

#include <taut/model/model.hpp>
#include <taut/model/parts.hpp>

#include <cstdio>
#include <string>

namespace taut {

// What a stream has learnt since its model was saved, row by row, on the disk before the row is answered: a stream that is killed
// has lost nothing that anybody was told. It stands beside the model file, FILE.journal, and goes when the model is saved again.

std::string journal_name(const std::string& model_file);

class StreamJournal {
 public:
  // Begins anew beside the file of a model that was just saved.
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

// What the journal of this file has, rows of so many cells; nothing where there is none, or one of another state of the file.
std::vector<StreamRecord> journal_rows(const std::string& model_file, std::size_t cells);

// Lets a model that was read from this file learn again what its journal has, and says how many rows that were; 0 where there is
// no journal, or one of another state of the file. A row that was cut off in the middle was not answered either: it is left out.
Index replay_journal(Model& model, const std::string& model_file, const ExecutionContext& context = {});

// A call that streams rows ends well, or leaves the model as it was.

// Puts back what the stream, the past inputs and the row history were, and the model that a refit has replaced, unless keep() was
// called.
class StreamRollback {
 public:
  // `wanted`: false where nothing that may fail comes after the first change. Copies cost as much as the window and the history
  // have rows, too much for a call for each row.
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

// By way of what a model file keeps: a stream that is read back goes on with the same bits.
std::optional<LevelStream> copied(const std::optional<LevelStream>& stream);

}  // namespace taut
