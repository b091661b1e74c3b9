#include <taut/model/stream_options.hpp>

#include <taut/core/error.hpp>

namespace taut {

void take_history(Model& model, const TableView& before, const StreamOptions& options, const ExecutionContext& context) {
  if (model.stream_state() != nullptr && model.stream_state()->rows() > 0)
    throw UsageError("--history are rows before the first of a stream, and this model has streamed already: it has its rows");
  if (options.refit_every.value_or(0) == 0)
    model.train_on(before, options, context);
  else
    model.remember_rows(before, options);
}

}  // namespace taut
