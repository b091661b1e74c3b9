// The exact k nearest rows: `bench_nearest DATA QUERIES COLUMNS K THREADS OUT` reads files of floats and writes row numbers
// (int64). bench/peers/nearest.py searches the same rows with scikit-learn and compares the neighbours.
#include <bench/float_file.hpp>
#include <bench/stopwatch.hpp>
#include <taut/predict/nearest.hpp>

#include <cstdint>
#include <cstdlib>

int main(int count, char** words) {
  using namespace taut;
  if (count != 7) return std::puts("usage: bench_nearest DATA QUERIES COLUMNS K THREADS OUT"), 2;
  const Index columns = std::atoi(words[3]), k = std::atoi(words[4]);
  const MatrixF data = read_floats(words[1], columns), queries = read_floats(words[2], columns);
  std::vector<std::int64_t> found(static_cast<std::size_t>(queries.rows() * k));
  const Stopwatch watch;
  nearest(data)->search(queries, k, std::atoi(words[5]), [&](Index query, std::span<const Neighbour> neighbours) {
    for (std::size_t i = 0; i < neighbours.size(); ++i) found[static_cast<std::size_t>(query * k) + i] = neighbours[i].row;
  });
  watch.print();
  OutputFile file(words[6]);
  file.write({reinterpret_cast<const char*>(found.data()), found.size() * sizeof(std::int64_t)});
  file.commit();
}
