// Helpers for tests of several localizers.
#pragma once

#include <taut/localize/localizer.hpp>

namespace taut {

// Starts from rows in two matrices.
inline void start(Localizer& localizer, const Inputs& train, const Inputs& validation, std::span<const double> initial,
                  const LocalizerSettings& settings = {}, const ExecutionContext& context = {}) {
  const InputPool both(train, validation);
  const Rows rows = all_rows(both.rows());
  const auto first = static_cast<std::size_t>(train.rows());
  localizer.start(both, RowsView(rows).first(first), RowsView(rows).subspan(first), initial, settings, context);
}

}  // namespace taut
