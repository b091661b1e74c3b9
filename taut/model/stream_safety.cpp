#include <taut/model/stream_safety.hpp>

#include <taut/core/file.hpp>
#include <taut/core/format.hpp>
#include <taut/model/file.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

namespace taut {

namespace {

// A journal begins with a magic number and the checksum of its model file. Then there is a record for each row: its side (0
// below, 1 above, 2 no target), its score, the latest time so far, the error of f (a width of -1: intervals are not recentred),
// the first level whose set contains the target (-1: use the score), whether there is a hash, the hash, and the cells that later
// rows need. Records of the second kind end with the error and those of the first kind with the time, before the cells.
struct JournalKind {
  std::string_view first_bytes;
  std::size_t record;  // bytes without cells
};
constexpr std::size_t journal_head = 16, bytes_to_time = 1 + 8 + 8, bytes_to_error = bytes_to_time + 3 * 8;
constexpr std::array<JournalKind, 3> journal_kinds = {
    {{"TAUTJ1\r\n", bytes_to_time}, {"TAUTJ2\r\n", bytes_to_error}, {"TAUTJ3\r\n", bytes_to_error + 8 + 1 + 8}}};
constexpr std::string_view journal_magic = journal_kinds.back().first_bytes;

std::string journal_start(const std::string& model_file, std::string_view first_bytes = journal_magic) {
  std::string bytes(first_bytes);
  const std::uint64_t sum = stored_checksum(read_whole_file(model_file));
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

[[noreturn]] void fail_journal(const std::string& name) {
  throw Error(
      format_text("{}: cannot be written: {}; a stream that is saved needs disk space for this file next to the model "
                  "file",
                  name, std::strerror(errno)));
}

[[noreturn]] void fail_damaged(const std::string& name) { throw Error(name + ": is damaged; remove it to go on without it"); }

}  // namespace

std::string journal_name(const std::string& model_file) { return model_file + ".journal"; }

StreamJournal::StreamJournal(const std::string& model_file)
    : name_(journal_name(model_file)), file_(std::fopen(name_.c_str(), "wb")) {
  if (file_ == nullptr) fail_journal(name_);
  const std::string start = journal_start(model_file);
  if (std::fwrite(start.data(), 1, start.size(), file_) != start.size() || std::fflush(file_) != 0) fail_journal(name_);
}

StreamJournal::~StreamJournal() {
  if (file_ != nullptr) std::fclose(file_);
}

void StreamJournal::add(const Streamed& streamed) {
  std::string bytes;
  for (const StreamRecord& row : streamed.records) {
    const char side = !row.score ? '\2' : row.score->side == Side::above ? '\1' : '\0';
    const double score = row.score ? row.score->score : 0;
    bytes += side;
    bytes.append(reinterpret_cast<const char*>(&score), sizeof score);
    bytes.append(reinterpret_cast<const char*>(&row.latest), sizeof row.latest);
    const StreamError moved = row.moved.value_or(StreamError{0, -1, 0});
    for (const double number : {moved.error, moved.width, moved.score})
      bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    const std::int64_t covered_from = row.covered_from.value_or(-1);
    bytes.append(reinterpret_cast<const char*>(&covered_from), sizeof covered_from);
    bytes += row.hash ? '\1' : '\0';
    const std::uint64_t hash = row.hash.value_or(0);
    bytes.append(reinterpret_cast<const char*>(&hash), sizeof hash);
    bytes.append(reinterpret_cast<const char*>(row.cells.data()), row.cells.size() * sizeof(double));
  }
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size() || std::fflush(file_) != 0) fail_journal(name_);
  rows_ += std::ssize(streamed.records);
}

void StreamJournal::remove() {
  std::fclose(file_);
  file_ = nullptr;
  std::error_code ignored;
  std::filesystem::remove(name_, ignored);
}

std::vector<StreamRecord> journal_rows(const std::string& model_file, std::size_t cells) {
  const std::string name = journal_name(model_file);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(name, ignored)) return {};
  const std::string bytes = read_whole_file(name);
  const auto kind = std::find_if(journal_kinds.begin(), journal_kinds.end(),
                                 [&](const JournalKind& one) { return bytes.starts_with(one.first_bytes); });
  if (kind == journal_kinds.end() || !bytes.starts_with(journal_start(model_file, kind->first_bytes))) return {};
  std::vector<StreamRecord> rows;
  const std::size_t own = kind->record, whole = own + cells * sizeof(double);
  for (std::size_t at = journal_head; at + whole <= bytes.size(); at += whole) {
    StreamRecord row;
    row.cells.resize(cells);
    if (cells > 0) std::memcpy(row.cells.data(), bytes.data() + at + own, cells * sizeof(double));
    double score = 0;
    const auto side = static_cast<unsigned char>(bytes[at]);
    std::memcpy(&score, bytes.data() + at + 1, sizeof score);
    std::memcpy(&row.latest, bytes.data() + at + 9, sizeof row.latest);
    if (side > 2 || std::isnan(score) || std::isnan(row.latest)) fail_damaged(name);
    StreamError moved{0, -1, 0};
    if (own >= bytes_to_error) {
      std::memcpy(&moved.error, bytes.data() + at + 17, sizeof moved.error);
      std::memcpy(&moved.width, bytes.data() + at + 25, sizeof moved.width);
      std::memcpy(&moved.score, bytes.data() + at + 33, sizeof moved.score);
    }
    if (std::isnan(moved.error) || std::isnan(moved.width) || std::isnan(moved.score)) fail_damaged(name);
    if (side < 2 && moved.width >= 0) row.moved = moved;
    if (own > bytes_to_error && side < 2) {
      std::int64_t covered_from = 0;
      std::uint64_t hash = 0;
      std::memcpy(&covered_from, bytes.data() + at + bytes_to_error, sizeof covered_from);
      std::memcpy(&hash, bytes.data() + at + bytes_to_error + 9, sizeof hash);
      if (covered_from >= 0) row.covered_from = static_cast<Index>(covered_from);
      if (bytes[at + bytes_to_error + 8] == '\1') row.hash = hash;
    }
    if (side < 2) row.score = SignedScore{side == 1 ? Side::above : Side::below, score};
    rows.push_back(row);
  }
  return rows;
}

Index replay_journal(Model& model, const std::string& model_file, const ExecutionContext& context) {
  const auto rows = journal_rows(model_file, model.cells_of_record());
  model.replay(rows, context);
  return std::ssize(rows);
}

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
