#include <taut/model/stream_rollback.hpp>

namespace taut {

std::optional<LevelStream> copied(const std::optional<LevelStream>& stream) {
  if (!stream) return std::nullopt;
  const Archive archive;
  stream->save(archive);
  return LevelStream::load(archive);
}

StreamRollback::StreamRollback(std::unique_ptr<ModelParts>& parts, bool wanted) : parts_(parts), wanted_(wanted) {
  if (!wanted) return;
  stream_ = copied(parts->stream);
  past_ = parts->past;
  history_ = parts->history;
  seen_rows_ = parts->seen_rows;
  kept_ = parts->kept;
  latest_ = parts->latest;
}

StreamRollback::~StreamRollback() {
  if (!wanted_) return;
  if (auto before = std::move(parts_->replaced)) parts_ = std::move(before);
  parts_->stream = std::move(stream_);
  parts_->past = std::move(past_);
  parts_->history = std::move(history_);
  parts_->seen_rows = std::move(seen_rows_);
  parts_->kept = std::move(kept_);
  parts_->latest = latest_;
}

void StreamRollback::keep() {
  wanted_ = false;
  parts_->replaced.reset();
}

}  // namespace taut
