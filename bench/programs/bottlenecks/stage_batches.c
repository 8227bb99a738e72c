// KIND pipeline, NAMES resample|resampler: audio goes through three threads, in batches that each hands over with a flag and a condition.
#include <pthread.h>
#include <stdio.h>

enum { kBatches = 60, kSamples = 256 };

struct Slot {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int is_full;
  float samples[kSamples];
};

static struct Slot decoded = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
static struct Slot resampled = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};

static void put(struct Slot* slot, const float* samples) {
  pthread_mutex_lock(&slot->mutex);
  while (slot->is_full)
    pthread_cond_wait(&slot->changed, &slot->mutex);
  for (int i = 0; i < kSamples; i++)
    slot->samples[i] = samples[i];
  slot->is_full = 1;
  pthread_cond_signal(&slot->changed);
  pthread_mutex_unlock(&slot->mutex);
}

static void take(struct Slot* slot, float* samples) {
  pthread_mutex_lock(&slot->mutex);
  while (!slot->is_full)
    pthread_cond_wait(&slot->changed, &slot->mutex);
  for (int i = 0; i < kSamples; i++)
    samples[i] = slot->samples[i];
  slot->is_full = 0;
  pthread_cond_signal(&slot->changed);
  pthread_mutex_unlock(&slot->mutex);
}

static void* decoder(void* unused) {
  float samples[kSamples];
  for (int b = 0; b < kBatches; b++) {
    for (int i = 0; i < kSamples; i++) {
      unsigned x = b * kSamples + i;
      for (int k = 0; k < 10; k++)
        x = x * 1664525 + 1013904223;
      samples[i] = x >> 20;
    }
    put(&decoded, samples);
  }
  return unused;
}

static void resample(const float* in, float* out) {
#ifdef FIXED
  const int taps = 3;
#else
  const int taps = 32;
#endif
  for (int i = 0; i < kSamples; i++) {
    float sum = 0;
    for (int k = 0; k < taps; k++) // CULPRIT
      sum += in[(i + k) % kSamples] / (k + 1);
    out[i] = sum;
  }
}

static void* resampler(void* unused) {
  float in[kSamples], out[kSamples];
  for (int b = 0; b < kBatches; b++) {
    take(&decoded, in);
    resample(in, out);
    put(&resampled, out);
  }
  return unused;
}

static void* player(void* result) {
  float samples[kSamples], level = 0;
  for (int b = 0; b < kBatches; b++) {
    take(&resampled, samples);
    for (int i = 0; i < kSamples; i++)
      for (int k = 0; k < 8; k++)
        level = 0.9f * level + 0.1f * samples[i];
  }
  *(float*)result = level;
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  float level;
  pthread_create(&threads[0], NULL, decoder, NULL);
  pthread_create(&threads[1], NULL, resampler, NULL);
  pthread_create(&threads[2], NULL, player, &level);
  for (int t = 0; t < 3; t++)
    pthread_join(threads[t], NULL);
  printf("%g\n", level);
}
