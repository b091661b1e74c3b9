// Rows like given ones, for models that learn from another model instead of targets.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/table_view.hpp>

#include <cstdint>

namespace taut {

// The rows `rows` of the inputs x, followed by rows made from them, `wanted` rows in all. A row is made from a given one and one
// of its nearest neighbours, by MUNGE (Buciluă, Caruana, Niculescu-Mizil 2006: Model compression): each cell stays with
// probability one half. Otherwise a category becomes that of the neighbour, and a number a normal random number about the
// neighbour's, whose standard deviation is the distance of the two, rounded if the column has whole numbers only. A missing cell
// becomes the neighbour's cell, and a cell missing there stays missing with it.
TableView with_made_rows(const TableView& x, RowsView rows, Index wanted, std::uint64_t seed, int threads);

}  // namespace taut
