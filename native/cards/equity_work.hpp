// Work in chunks over threads, while the calling thread reports progress and may stop it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cards/equity.hpp"
#include "cards/equity_random.hpp"

namespace parlour {

inline constexpr auto PollInterval = std::chrono::milliseconds(50);

// Threads that are joined on every way out.
struct Workers {
    std::vector<std::thread> threads;

    ~Workers() { join(); }
    void join() {
        for (auto& thread : threads) thread.join();
        threads.clear();
    }
};

// Calls work(chunk, worker) for each chunk in [0, chunks), with workers numbered from 0 below effort.threads. A chunk
// should take a few milliseconds at most: work can be stopped between chunks.
template <typename Work>
void run_chunks(std::uint64_t chunks, const Effort& effort, Work work) {
    const auto fraction = [chunks](std::uint64_t done) {
        return static_cast<double>(done) / static_cast<double>(chunks);
    };
    if (effort.threads <= 1 || chunks <= 1) {
        auto last = std::chrono::steady_clock::now();
        for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
            work(chunk, 0);
            const auto now = std::chrono::steady_clock::now();
            if (now - last < PollInterval) continue;
            last = now;
            if (effort.poll) effort.poll(fraction(chunk + 1));
        }
        return;
    }
    std::atomic<std::uint64_t> next{0}, done{0};
    std::atomic<bool> stop{false};
    std::exception_ptr failure;
    int running = 0;
    std::mutex mutex;
    std::condition_variable finished;
    const auto run = [&](int worker) {
        try {
            for (std::uint64_t chunk; !stop && (chunk = next++) < chunks; ++done) work(chunk, worker);
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            stop = true;
        }
        const std::lock_guard lock(mutex);
        if (--running == 0) finished.notify_one();
    };
    Workers workers;
    try {
        for (int worker = 0; worker < effort.threads && static_cast<std::uint64_t>(worker) < chunks; ++worker) {
            const std::lock_guard lock(
                mutex);  // held until the worker is counted in, so that it cannot count itself out before
            workers.threads.emplace_back(run, worker);
            ++running;
        }
        std::unique_lock lock(mutex);
        while (!finished.wait_for(lock, PollInterval, [&] { return running == 0; })) {
            lock.unlock();
            if (effort.poll) effort.poll(fraction(done));
            lock.lock();
        }
    } catch (...) {
        stop = true;
        throw;
    }
    workers.join();
    if (failure) std::rethrow_exception(failure);
}

// The sum of work(chunk), added in order of the chunks so that the result does not depend on the number of threads.
template <typename Work>
Tally sum_of_chunks(std::size_t chunks, const Effort& effort, Work work) {
    std::vector<Tally> tallies(chunks);
    run_chunks(chunks, effort, [&](std::uint64_t chunk, int) { tallies[chunk] = work(chunk); });
    Tally sum;
    for (const auto& tally : tallies) sum.add(tally);
    return sum;
}

// How often each set of winners came; bit p of an index is player p.
using WinnerCounts = std::vector<std::uint64_t>;

inline Tally tally_of(const WinnerCounts& counts, double weight = 1) {
    Tally tally;
    for (std::size_t winners = 1; winners < counts.size(); ++winners)
        if (counts[winners]) tally.add(static_cast<unsigned>(winners), weight * static_cast<double>(counts[winners]));
    return tally;
}

// Calls sample(random, trials, counts) until all trials are done, with counts for sets of so many. Each chunk of trials
// has its own stream of random numbers, so the result depends on the seed alone.
template <typename Sample>
WinnerCounts count_trials(std::uint64_t trials, std::uint64_t seed, std::size_t players, const Effort& effort,
                          Sample sample) {
    constexpr std::uint64_t ChunkSize = 1 << 15;
    std::vector<WinnerCounts> counts(effort.threads, WinnerCounts(std::size_t{1} << players));
    run_chunks((trials + ChunkSize - 1) / ChunkSize, effort, [&](std::uint64_t chunk, int worker) {
        Random random(seed, chunk);
        sample(random, std::min(ChunkSize, trials - chunk * ChunkSize), counts[worker]);
    });
    for (std::size_t worker = 1; worker < counts.size(); ++worker)
        for (std::size_t i = 0; i < counts[0].size(); ++i) counts[0][i] += counts[worker][i];
    return std::move(counts[0]);
}

template <typename Sample>
Tally sum_of_trials(std::uint64_t trials, std::uint64_t seed, std::size_t players, const Effort& effort,
                    Sample sample) {
    return tally_of(count_trials(trials, seed, players, effort, sample));
}

}  // namespace parlour
