-- Products in double precision of the pde matrices: time and rate of each format on each side (cpu, gpu).
CREATE VIEW spmv_formats_double AS
SELECT rows, matrix, substr(variant, 1, length(variant) - 4) AS format, substr(variant, -3) AS side, gflops,
       bandwidth_gbs, time_s AS mid, time_low_s AS low, time_high_s AS high
FROM spmv_formats_median WHERE precision = 'double';

-- The fastest format on the GPU, own and of cuSPARSE, by matrix and precision; share: of a copy's bandwidth.
CREATE VIEW spmv_best AS
SELECT maker, o.matrix AS matrix, o.precision AS precision, o.variant AS variant, o.mid AS mid, o.low AS low,
       o.high AS high, o.bandwidth_gbs / c.bandwidth_gbs AS share,
       o.bandwidth_gbs / c.bandwidth_gbs * o.mid / o.high * c.time_low_s / c.time_s AS share_low,
       o.bandwidth_gbs / c.bandwidth_gbs * o.mid / o.low * c.time_high_s / c.time_s AS share_high
FROM (SELECT iif(variant GLOB 'cusparse*', 'cusparse', 'own') AS maker, matrix, precision, variant, bandwidth_gbs,
             min(time_s) AS mid, time_low_s AS low, time_high_s AS high
      FROM spmv_matrices_median
      WHERE variant IN ('csr-gpu', 'coo-gpu', 'csc-gpu', 'ell-gpu', 'elg-gpu', 'hlg-gpu', 'hyb-gpu', 'cusparse-csr1',
                        'cusparse-csr2', 'cusparse-coo', 'cusparse-sell')
      GROUP BY maker, matrix, precision) AS o
LEFT JOIN spmv_matrices_median AS c ON c.matrix = o.matrix AND c.precision = o.precision AND c.variant = 'copy-gpu';

-- Products that both devices share, with the most threads: by an algorithm with all samples or with few of them, and by
-- one device alone.
CREATE VIEW spmv_shared_runs AS
SELECT experiment, variant, rows, mid, low, high,
       CASE points WHEN 0 THEN 'alone' WHEN most THEN 'all' WHEN least THEN 'few' END AS samples
FROM (SELECT *, threads = max(threads) OVER (PARTITION BY experiment, variant) AS all_threads,
             max(points) OVER one AS most, min(nullif(points, 0)) OVER one AS least
      FROM (SELECT experiment, variant, CAST(parameter(parameters, 'rows') AS INTEGER) AS rows,
                   CAST(parameter(parameters, 'points') AS INTEGER) AS points,
                   CAST(parameter(parameters, 'threads') AS INTEGER) AS threads, median_s AS mid, low_s AS low,
                   high_s AS high
            FROM configurations WHERE experiment GLOB 'spmv_hybrid*')
      WINDOW one AS (PARTITION BY experiment))
WHERE all_threads;

CREATE VIEW spmv_hybrid_runs AS SELECT * FROM spmv_shared_runs WHERE experiment = 'spmv_hybrid';

-- Times of two algorithms, a / b, at each size.
CREATE VIEW spmv_algorithms AS
SELECT experiment, samples, rows, a.variant AS a, b.variant AS b, a.mid / b.mid AS mid, a.low / b.high AS low,
       a.high / b.low AS high
FROM spmv_shared_runs AS a JOIN spmv_shared_runs AS b USING (experiment, samples, rows)
WHERE samples <> 'alone' AND a.variant <> b.variant;

-- How many times longer the CPU takes, in the median; whether the two are of comparable speed, as some claims ask.
CREATE VIEW spmv_speeds AS
SELECT median(c.mid / g.mid) AS ratio, median(c.mid / g.mid) BETWEEN 1.0 / 3 AND 3 AS comparable
FROM spmv_hybrid_runs AS c JOIN spmv_hybrid_runs AS g USING (rows) WHERE c.variant = 'cpu' AND g.variant = 'gpu';

-- The best algorithm with all samples at each size: how many times faster than the better device alone (gain) and than
-- the GPU alone, and how many times longer the CPU takes (speeds). place counts sizes up, sizes is their number.
CREATE VIEW spmv_hybrid_gains AS
WITH both AS (SELECT rows, min(mid) AS mid, low, high FROM spmv_hybrid_runs WHERE samples = 'all' GROUP BY rows)
SELECT rows, c.mid / g.mid AS speeds, min(c.mid, g.mid) / b.mid AS gain, min(c.low, g.low) / b.high AS gain_low,
       min(c.high, g.high) / b.low AS gain_high, g.mid / b.mid AS gpu, g.low / b.high AS gpu_low,
       g.high / b.low AS gpu_high, row_number() OVER (ORDER BY rows) AS place, count(*) OVER () AS sizes
FROM both AS b JOIN spmv_hybrid_runs AS c USING (rows) JOIN spmv_hybrid_runs AS g USING (rows)
WHERE c.variant = 'cpu' AND g.variant = 'gpu';

-- The cut that the iterative algorithm finds with all samples, against the best of all cuts. It may give one device all
-- rows, so the cuts at both ends count too.
CREATE VIEW spmv_cut_found AS
SELECT f.rows, f.time_s / b.mid AS mid, f.time_low_s / b.high AS low, f.time_high_s / b.low AS high,
       f.cpu_rows AS found_rows, b.cpu_rows AS best_rows
FROM spmv_exhaustive_median AS f, (
    SELECT min(time_s) AS mid, time_low_s AS low, time_high_s AS high, cpu_rows FROM spmv_exhaustive_median
    WHERE variant = 'exhaustive') AS b
WHERE f.variant = 'iterative' AND f.points = (SELECT max(points) FROM spmv_exhaustive_median);

-- The exchange of halos in products of pde matrices, by experiment, strategy and edge; rate in FLOP/s.
CREATE VIEW spmv_exchanges AS
SELECT *, 2.0 * (7 * edge - 6) * edge * edge / mid AS rate
FROM (SELECT experiment, variant, CAST(parameter(parameters, 'edge') AS INTEGER) AS edge,
             CAST(parameter(parameters, 'rows') AS INTEGER) AS rows,
             CAST(parameter(parameters, 'nodes') AS INTEGER) AS nodes, median_s AS mid, low_s AS low, high_s AS high
      FROM configurations WHERE experiment GLOB 'spmv_exchange_*') WHERE edge > 0;

-- Throughput of two strategies, a / b, at each edge.
CREATE VIEW spmv_strategies AS
SELECT experiment, edge, rows, a.variant AS a, b.variant AS b, b.mid / a.mid AS mid, b.low / a.high AS low,
       b.high / a.low AS high
FROM spmv_exchanges AS a JOIN spmv_exchanges AS b USING (experiment, edge, rows, nodes);

-- Roughness of the throughput over edges: twice the mean distance of a point from the line between its neighbours, of
-- the mean.
CREATE VIEW spmv_roughness AS
SELECT experiment, variant, 2 * avg(abs(y - y0 - (y1 - y0) * (x - x0) / (x1 - x0))) / avg(y) AS rough
FROM (SELECT experiment, variant, edge AS x, rate AS y, lag(edge) OVER at AS x0, lag(rate) OVER at AS y0,
             lead(edge) OVER at AS x1, lead(rate) OVER at AS y1
      FROM spmv_exchanges WINDOW at AS (PARTITION BY experiment, variant ORDER BY edge))
GROUP BY experiment, variant HAVING count(y0 + y1) > 0;

-- Throughput by index-pinned / by openmpi where each node has as many rows.
CREATE VIEW spmv_weak AS
SELECT experiment, m.nodes, m.mid / p.mid AS mid, m.low / p.high AS low, m.high / p.low AS high
FROM spmv_exchanges AS m JOIN spmv_exchanges AS p USING (experiment, edge, rows)
WHERE m.variant = 'openmpi' AND p.variant = 'index-pinned';

-- Copies of page-locked memory to one GPU that has the bus for itself, in GB/s.
CREATE VIEW spmv_copies AS
SELECT bytes, bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low,
       bandwidth_gbs * time_s / time_low_s AS high, row_number() OVER (ORDER BY bytes DESC) AS nth
FROM spmv_contention_median WHERE variant = 'pinned' AND active = 1;
