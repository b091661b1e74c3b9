// Trains the curve on what a trained scale leaves over, and says whether it is better than the scale alone.
#pragma once

#include <taut/calibrate/residuals.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/train/choice.hpp>
#include <taut/train/localization.hpp>
#include <taut/train/residual_curve.hpp>
#include <taut/train/training_part.hpp>

namespace taut {

struct FittedCurve {
  ResidualCurve curve;
  double validation_loss = 0;  // mean log interval score over .68, .9 and .95, as that of the scale
  double loss_of_scale = 0;    // on the same rows
  double standard_error = 0;   // of the difference; infinite where validation rows are too few for one

  // Lower on validation rows, and if `clearly` by more than the standard error. Never where that error is unknown.
  bool is_better(bool clearly = false) const;
};

// Scaled residuals of validation rows come from members of g that have not seen them; so do the quantiles that are judged. Where
// there is one part only, its training rows are scaled by the member that they trained.
FittedCurve fit_curve(const Localization& localization, const Transform& scale, const InputPool& x, const Residuals& residuals,
                      const std::vector<TrainingPart>& parts, std::uint64_t seed, const ExecutionContext& context);

}  // namespace taut
