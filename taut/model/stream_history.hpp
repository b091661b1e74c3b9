// Rows from before a stream, those of the fit for example (--history).
#pragma once

#include <taut/model/model.hpp>
#include <taut/model/stream_options.hpp>

namespace taut {

// f and g are trained on all of them, once before the first row; with --refit-every they count among the rows that the model is
// trained on anew. A model that has streamed already is refused: it has its rows.
void take_history(Model& model, const TableView& before, const StreamOptions& options, const ExecutionContext& context);

}  // namespace taut
