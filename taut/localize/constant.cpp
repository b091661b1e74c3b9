// g(x) = initial for every x: constant width, the baseline, and the simplest localizer for tests.
#include <taut/core/format.hpp>
#include <taut/localize/localizer.hpp>

#include <cmath>

namespace taut {
namespace {

class Constant final : public Localizer {
 public:
  bool adapts() const override { return false; }
  bool keeps_directions() const override { return true; }
  bool accepts_missing() const override { return true; }
  bool uses_prediction_by_default() const override { return false; }
  bool trains_per_fold() const override { return false; }

  void start(const InputPool&, RowsView, RowsView validation, std::span<const double> initial, const LocalizerSettings&,
             const ExecutionContext&) override {
    value_.assign(initial.begin(), initial.end());
    validation_ = repeated(std::ssize(validation));
  }
  Index batch() const override { return 0; }
  Index default_epochs() const override { return 1; }
  Index default_patience() const override { return 1; }
  const Matrix& forward(RowsView rows) override {
    if (forwarded_.rows() != std::ssize(rows)) forwarded_ = repeated(std::ssize(rows));
    return forwarded_;
  }
  void update(RowsView, const Matrix&, const Matrix&) override {}
  const Matrix& validation() override { return validation_; }
  void snapshot() override {}
  void restore() override {}
  void finish() override {
    forwarded_.resize(0, 0);
    validation_.resize(0, 0);
  }

  void evaluate(const Inputs&, Eigen::Ref<Matrix> out, int) const override { out = repeated(out.rows()); }

  std::optional<DescribedLocalizer> describe() const override { return DescribedLocalizer{value_}; }
  void save(Archive archive) const override { archive.put("value", value_); }
  void load(const Archive& archive, Index, Index outputs) override {
    value_ = archive.get<std::vector<double>>("value");
    if (std::ssize(value_) != outputs)
      throw Error(format_text("the constant localizer of the model file has {} values instead of {}: the file is damaged",
                              value_.size(), outputs));
    for (const double value : value_)
      if (!std::isfinite(value)) throw Error("the constant localizer of the model file is not finite: the file is damaged");
  }

 private:
  Matrix repeated(Index rows) const { return Eigen::Map<const Matrix>(value_.data(), 1, std::ssize(value_)).replicate(rows, 1); }

  std::vector<double> value_;
  Matrix forwarded_, validation_;
};

}  // namespace

// One localizer under two names. `none` is the clearer option for users; model files of version 0.1 may contain either.
Listed<Localizer> constant_localizer() {
  return {"constant", "the same g for every row: one width everywhere",
          [](std::string_view) { return std::make_unique<Constant>(); }};
}

Listed<Localizer> none_localizer() {
  Listed<Localizer> entry = constant_localizer();
  entry.name = entry.example = "none";
  return entry;
}

}  // namespace taut
