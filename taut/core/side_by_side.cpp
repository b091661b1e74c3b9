#include <taut/core/side_by_side.hpp>

#include <taut/core/threads.hpp>
#include <taut/core/turns.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>

namespace taut {

namespace {

using Work = std::function<void(Index, const ExecutionContext&)>;

ExecutionContext with_threads(const ExecutionContext& context, int threads) {
  ExecutionContext own = context;
  own.threads = threads;
  own.progress = nullptr;
  return own;
}

void in_turns(Index count, int threads, const ExecutionContext& context, const Work& work) {
  using Clock = std::chrono::steady_clock;
  constexpr auto turn = std::chrono::milliseconds(20);  // waking the next thread takes a tenth of a millisecond
  Turns turns(threads);
  parallel_blocks(count, 1, static_cast<int>(count), [&](Index which, Index) {
    turns.take();
    struct Place {
      Turns& turns;
      ~Place() { turns.leave(); }
    } const place{turns};
    auto since = Clock::now();
    ExecutionContext own = with_threads(context, 1);
    own.give_way = [&] {
      if (Clock::now() - since < turn) return;
      turns.pass();
      since = Clock::now();
      if (context.give_way) context.give_way();
    };
    work(which, own);
  });
}

// Five on two threads: four with a thread each, the last with both.
void one_by_one(Index count, int threads, const ExecutionContext& context, const Work& work) {
  const auto run_some = [&](Index first, Index some) {
    const ExecutionContext own = with_threads(context, std::max(1, threads / static_cast<int>(some)));
    parallel_blocks(some, 1, threads, [&](Index which, Index) { work(first + which, own); });
  };
  const Index last = count % threads, before = count - last;
  if (before > 0) run_some(0, before);
  if (last > 0) run_some(before, last);
}

}  // namespace

void side_by_side(Index count, Jobs jobs, const ExecutionContext& context, std::string_view stage, const Work& work) {
  const int threads = resolve_threads(context.threads);
  if (count == 1) return work(0, context);
  std::atomic<int> done{0};
  const auto reported = [&](Index which, const ExecutionContext& own) {
    work(which, own);
    context.report(stage, ++done / static_cast<double>(count));
  };
  const bool takes_turns = jobs == Jobs::small && threads > 1 && threads < count;
  takes_turns ? in_turns(count, threads, context, reported) : one_by_one(count, threads, context, reported);
}

}  // namespace taut
