// One network of the ensemble, trained on some rows.
#pragma once

#include <taut/network/network.hpp>
#include <taut/predict/piecewise_inputs.hpp>
#include <taut/predict/predictor.hpp>

namespace taut {

struct NetworkPlan {
  Index members = 4;
  std::vector<Index> hidden = {64, 64, 64};
  Index batch = 64;
  Index epochs = 50;
  Index most_steps = 1'000'000;  // of an epoch
  Index patience = 20;           // epochs without a better error of held-out rows
  double rate = 5e-3;            // the highest of the schedule
  double decay = 0.05;           // of the weights in a step, times the rate
  double bend = 0.3;             // δ; the loss is δ²(√(1 + (e/δ)²) - 1)
  Index most_bins = 24;          // of a column
  Index most_width = 384;        // of all bins
};

// For so many rows and inputs and so much effort.
NetworkPlan network_plan(Index rows, Index inputs, const PredictorSettings& settings);

// `z`: robust inputs of all rows; `y` of mean 0 and deviation 1.
Network train_member(const PiecewiseInputs& embedding, const MatrixF& z, std::span<const double> y, const NetworkPlan& plan,
                     Random random, const ExecutionContext& context);

}  // namespace taut
