-- Times of a copy from pageable over page-locked memory, by size and direction.
CREATE VIEW pinning_copy_ratios AS
SELECT block_elements, direction, pageable.time_s / pinned.time_s AS ratio,
       pageable.time_low_s / pinned.time_high_s AS low, pageable.time_high_s / pinned.time_low_s AS high,
       block_elements IN (SELECT block_elements FROM peshne_tab_6_5) AS published
FROM pinning_copy_median AS pinned JOIN pinning_copy_median AS pageable USING (block_elements, direction)
WHERE pinned.variant = 'pinned' AND pageable.variant = 'pageable';

-- What it costs to allocate or free a block, over malloc or free.
CREATE VIEW pinning_alloc_ratios AS
SELECT block_elements, operation, other.variant, other.time_s / plain.time_s AS ratio,
       other.time_low_s / plain.time_high_s AS low, other.time_high_s / plain.time_low_s AS high,
       block_elements IN (SELECT block_elements FROM peshne_tab_6_6) AS published
FROM pinning_alloc_median AS other JOIN pinning_alloc_median AS plain USING (block_elements, operation)
WHERE plain.variant = 'pageable';

-- All allocations and releases of a trace: page-locked anew each time, from the cache as published, malloc. The cache
-- registers malloc's memory (section 5.3.3), so what it saves is registering: requests times the cost of a registered
-- block and its release, which hardly depends on the size up to the 24 KB of table 6-6.
CREATE VIEW pinning_trace_times AS
WITH block AS (
    SELECT sum(time_s) AS mid, sum(time_low_s) AS low, sum(time_high_s) AS high FROM pinning_alloc_median
    WHERE variant = 'registered' AND block_elements IN (SELECT block_elements FROM peshne_tab_6_6)
    GROUP BY block_elements HAVING count(*) = 2),
registered AS (SELECT median(mid) AS mid, min(low) AS low, max(high) AS high FROM block)
SELECT trace, cached.requests * mid AS uncached_s, cached.requests * low AS uncached_low_s,
       cached.requests * high AS uncached_high_s, cached.time_s AS cached_s, cached.time_low_s AS cached_low_s,
       cached.time_high_s AS cached_high_s, plain.time_s AS plain_s, plain.time_low_s AS plain_low_s,
       plain.time_high_s AS plain_high_s
FROM registered, pinning_cache_median AS cached JOIN pinning_cache_median AS plain USING (trace, size_factor)
WHERE size_factor = 1 AND cached.variant = 'thesis' AND plain.variant = 'unpinned'
  AND trace IN (SELECT program FROM peshne_tab_6_9);

-- Hits of the cache as published.
CREATE VIEW pinning_hits AS
SELECT trace, size_factor, 1.0 * hits / (hits + misses) AS ratio FROM pinning_cache_median
WHERE variant = 'thesis' AND trace IN (SELECT program FROM peshne_tab_6_8);
