#include <taut/model/fit_beside.hpp>

#include <taut/core/run_beside.hpp>

#include <chrono>

namespace taut {

FitBeside::FitBeside(const FitMoment& moment, std::function<Model(const ExecutionContext&)> fit, int threads) : moment_(moment) {
  ExecutionContext own;
  own.threads = threads;
  own.cancelled = [this] { return unwanted_.load(); };
  done_ = run_beside([this, own, fit = std::move(fit)] { result_.emplace(fit(own)); });
}

Model FitBeside::take(const ExecutionContext& context) {
  constexpr auto a_moment = std::chrono::milliseconds(50);
  while (done_.wait_for(a_moment) == std::future_status::timeout)
    if (context.cancelled && context.cancelled()) throw Interrupted();
  done_.get();
  return std::move(*result_);
}

}  // namespace taut
