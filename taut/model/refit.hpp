// Training anew while a stream goes on.
#pragma once

#include <taut/model/model.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <optional>

namespace taut {

// A fit that goes on beside a stream until the stream takes its model over.

// What the rows of a fit depend on.
struct FitMoment {
  Index row;  // of the stream, by its own count
  Index most_rows, delay;
  bool operator==(const FitMoment&) const = default;
};

class FitBeside {
 public:
  // `fit` is called on a thread of its own; its context knows when nobody wants the result any more.
  FitBeside(const FitMoment& moment, std::function<Model(const ExecutionContext&)> fit, int threads);
  ~FitBeside() { unwanted_ = true; }  // the future waits until the fit has noticed
  FitBeside(const FitBeside&) = delete;
  FitBeside& operator=(const FitBeside&) = delete;

  const FitMoment& moment() const { return moment_; }
  // Waits where it has to; what the fit threw is thrown here.
  Model take(const ExecutionContext& context);

 private:
  FitMoment moment_;
  std::atomic<bool> unwanted_ = false;
  std::optional<Model> result_;
  std::future<void> done_;  // the last: it uses the others
};

}  // namespace taut
