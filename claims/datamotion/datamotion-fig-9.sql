-- The suite's own target for the halo exchange, 2 images on one node, against the faster of MPI in Fortran and in C.
WITH own AS (SELECT grid, layout, time_s AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_halo_median WHERE variant = 'datamotion'),
mpi AS (
    SELECT grid, layout, min(time_s) AS mid, min(time_low_s) AS low, min(time_high_s) AS high
    FROM coarrays_halo_median WHERE variant IN ('mpi', 'mpi-c') GROUP BY grid, layout),
pair AS (SELECT grid, layout, own.mid / mpi.mid AS mid, own.low / mpi.high AS low, own.high / mpi.low AS high FROM own JOIN mpi USING (grid, layout)),
worst AS (SELECT * FROM pair ORDER BY mid DESC LIMIT 1)
SELECT 'datamotion-c-017' AS id,
       printf('%.2f to %.2f times over %d grids and layouts, most at %d x %d, layout %s', min(pair.mid), max(pair.mid), count(*), worst.grid,
           worst.grid, worst.layout) AS measured,
       '<= 1.1' AS bound, CASE WHEN max(pair.high) <= 1.1 THEN 1 WHEN max(pair.low) > 1.1 THEN 0 END AS ok, '' AS reason
FROM pair, worst HAVING count(*) > 0;
