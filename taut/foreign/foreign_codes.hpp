// Cells as integer codes: the number of thresholds of a column that a cell passes, or its category. All comparisons of doubles
// happen here, once for each cell, exactly as the other library makes them.
#pragma once

#include <taut/foreign/foreign_model.hpp>

namespace taut {

class ForeignCodes {
 public:
  static constexpr std::size_t width = 128;  // rows that are encoded at a time

  ForeignCodes() = default;
  explicit ForeignCodes(const ForeignModel& model);

  // A feature has one column of codes for each treatment of missing cells that occurs in its splits.
  std::uint32_t columns() const { return static_cast<std::uint32_t>(columns_.size()); }
  std::uint32_t column_of(const ForeignNode& node) const;
  // A cell goes right if its code is at least this.
  std::uint32_t threshold_of(const ForeignNode& node) const;
  std::size_t max_thresholds() const;
  std::size_t features() const { return features_.size(); }
  bool has_categories() const;

  // The codes of a number that goes right at every threshold, of a category that is in every set, and of one that is in none.
  // Narrower code types keep the lowest bits.
  static constexpr std::uint32_t right = 0xFFFFFFFFU, category_in = 0xFFFFFFFFU, category_out = 0xFFFFFFFEU;

  // `cells` holds `width` cells for each feature in turn; the first `count` of them are rows. The code of a row in a column is
  // written to out[column · column_step + row · row_step]. The cells are overwritten.
  template <class Code>
  void encode(double* cells, std::size_t count, Code* out, std::size_t column_step, std::size_t row_step) const;

 private:
  struct Feature {
    std::vector<double> thresholds;      // ascending
    std::vector<float> narrow;           // the same as floats, if cells and thresholds are floats: comparisons are twice as fast
    std::vector<double> numbers;         // categories that are numbers
    double categories = 0;               // number of categories that are texts; 0: none
    std::vector<std::uint32_t> columns;  // of codes
    std::int32_t code_of_zero = 0;
  };
  struct CodeColumn {
    bool is_category;
    ForeignMissing missing;
  };

  void prepare(const Feature& feature, double* cells, std::size_t count) const;
  void rank(const Feature& feature, const double* cells, std::size_t count, std::int32_t* ranks) const;
  std::uint32_t category_of(const Feature& feature, double cell) const;

  bool strict_ = false, float_inputs_ = false, tiny_is_zero_ = false;
  std::vector<Feature> features_;
  std::vector<CodeColumn> columns_;
};

}  // namespace taut
