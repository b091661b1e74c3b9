// Carries out a plan: trains every candidate on the parts that compare them.
#pragma once

#include <taut/train/member_training.hpp>
#include <taut/train/validation.hpp>

namespace taut {

// For each candidate the position of the earlier one that it continues: the longest whose stages it begins with; its own position
// where there is none.
std::vector<std::size_t> origins(const std::vector<CandidatePlan>& candidates);

// How many rows a member shall learn from, at most. Where there are many, a candidate is trained on a part of them, and on a
// quarter of that: where the larger part has hardly helped, it is enough.
Index rows_that_suffice(const MemberTraining& members, const Validation& validation, const LocalizationPlan& plan,
                        const ExecutionContext& context);

// In the order of the plan, each with its validation loss. Candidates that share no stage are trained side by side.
std::vector<Candidate> train_candidates(const MemberTraining& members, const Transform& transform, const Validation& validation,
                                        const LocalizationPlan& plan, const ExecutionContext& context);

// The mean of two candidates in log s.
Candidate mean_candidate(const MemberTraining& members, const Transform& transform, const Validation& validation,
                         const Candidate& one, const Candidate& other, int threads);

// Trains the members, from `first` on, that were not needed to compare candidates, by the same stages.
void train_other_members(const MemberTraining& members, const std::vector<Stage>& stages, std::size_t first, Candidate& candidate,
                         const ExecutionContext& context);

}  // namespace taut
