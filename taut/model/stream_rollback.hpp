// A call that streams rows ends well, or leaves the model as it was.
#pragma once

#include <taut/model/parts.hpp>

namespace taut {

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
