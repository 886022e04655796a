// A thread that writes to connections, so that whoever has much to say to many need not wait for the kernel to take it.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace parlour {

// Bytes for one connection; when it comes back, those for which there was no room.
struct Parcel {
    void* owner;
    int descriptor;
    std::string bytes;
};

using Parcels = std::vector<Parcel>;

// Write as much of the bytes as there is room for, without waiting. A broken connection takes everything.
void write_now(int descriptor, std::string& bytes);

// Parcels are written in the order in which they were posted, and then lie ready to be collected.
class Sender {
   public:
    Sender();
    ~Sender();
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;

    void post(Parcels&& parcels);

    // All that was posted and is written by now.
    Parcels collect();

    // Have the bell rung as soon as all that was posted is written.
    void await();

    // Wait until all that was posted is written.
    void drain();

    // Readable from when the bell is rung, as `await` asked or since a parcel was not written whole, until `collect`.
    int bell() const { return bell_; }

   private:
    void work();
    void ring();

    const int bell_;
    std::mutex mutex_;
    std::condition_variable posted_, idle_;
    Parcels waiting_, written_;
    bool working_ = false;
    bool awaited_ = false;
    bool rung_ = false;
    bool over_ = false;
    std::thread thread_;  // last: it needs all the others
};

}  // namespace parlour
