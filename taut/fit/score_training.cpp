#include <taut/fit/score_training.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace taut {

Rows shared_rows(Rows rows, const ScoreModel::Fitted& other) {
  Rows own = other.held_out_rows;
  std::sort(own.begin(), own.end());
  std::erase_if(rows, [&](Index row) { return !std::binary_search(own.begin(), own.end(), row); });
  return rows;
}

std::function<RowScore(std::size_t)> held_out_scores(const ScoreModel::Fitted& fitted, const Rows& rows,
                                                     const RowPredictions& predicted) {
  const Rows& all = fitted.held_out_rows;
  Rows order(all.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return all[static_cast<std::size_t>(a)] < all[static_cast<std::size_t>(b)]; });
  Rows places;
  for (const Index row : rows)
    places.push_back(*std::lower_bound(order.begin(), order.end(), row,
                                       [&](Index place, Index wanted) { return all[static_cast<std::size_t>(place)] < wanted; }));
  return [&fitted, &rows, &predicted, places = std::move(places)](std::size_t i) {
    return fitted.score.at(predicted[static_cast<std::size_t>(rows[i])], fitted.held_out.row(places[i]).data());
  };
}

}  // namespace taut
