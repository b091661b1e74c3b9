// Refits the model of a stream on a second thread while the stream goes on.
#pragma once

#include <taut/model/model.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <optional>

namespace taut {

// Identifies the training rows of a refit.
struct FitMoment {
  Index row;  // number of rows streamed so far
  Index max_rows, delay;
  bool operator==(const FitMoment&) const = default;
};

// A refit on a second thread, until the stream takes over its model.
class BackgroundFit {
 public:
  // `fit` is called on a second thread; its context cancels the fit when this object is destroyed.
  BackgroundFit(const FitMoment& moment, std::function<Model(const ExecutionContext&)> fit, int threads);
  ~BackgroundFit() { unwanted_ = true; }  // the future waits until the fit has noticed
  BackgroundFit(const BackgroundFit&) = delete;
  BackgroundFit& operator=(const BackgroundFit&) = delete;

  const FitMoment& moment() const { return moment_; }
  // Waits until the fit has ended, and rethrows its exception.
  Model take(const ExecutionContext& context);

 private:
  FitMoment moment_;
  std::atomic<bool> unwanted_ = false;
  std::optional<Model> result_;
  std::future<void> done_;  // destroyed first, because its thread uses the other members
};

}  // namespace taut
