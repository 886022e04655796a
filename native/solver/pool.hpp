// Threads that stay, for many short pieces of work after one another.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace parlour::solver {

class Pool {
public:
    // The caller is worker 0; the others are threads.
    explicit Pool(int workers) {
        try {
            for (int worker = 1; worker < workers; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
        } catch (const std::system_error&) {  // as many as the system allows
        }
    }
    ~Pool() {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        begin_.notify_all();
        for (auto& thread : threads_) thread.join();
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // Calls work(index, worker) for each index below `count` and returns when all are done. Worker 0 may throw: what
    // others have begun is finished first, and the rest is left out.
    void run(int count, const std::function<void(int, int)>& work) {
        {
            const std::lock_guard lock(mutex_);
            work_ = &work;
            count_ = count;
            next_ = 0;
            busy_ = static_cast<int>(threads_.size());
            ++round_;
        }
        begin_.notify_all();
        try {
            take_part(work, 0);
        } catch (...) {
            next_ = count;
            wait();
            throw;
        }
        wait();
    }

private:
    void take_part(const std::function<void(int, int)>& work, int worker) {
        for (int index; (index = next_++) < count_;) work(index, worker);
    }
    void wait() {
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return busy_ == 0; });
    }
    void serve(int worker) {
        std::uint64_t seen = 0;
        for (;;) {
            std::unique_lock lock(mutex_);
            begin_.wait(lock, [&] { return ending_ || round_ != seen; });
            if (ending_) return;
            seen = round_;
            const auto& work = *work_;
            lock.unlock();
            take_part(work, worker);
            lock.lock();
            if (--busy_ == 0) done_.notify_one();
        }
    }

    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable begin_, done_;
    const std::function<void(int, int)>* work_ = nullptr;
    std::atomic<int> next_{0};
    int count_ = 0, busy_ = 0;
    std::uint64_t round_ = 0;
    bool ending_ = false;
};

}  // namespace parlour::solver
