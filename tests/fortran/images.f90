! What a program can ask about its images, and accesses to images that there are not.
program images
    use, intrinsic :: iso_fortran_env, only: int8, int64, stat_stopped_image
    use testing, only: check, finish
    implicit none

    integer :: x(4)[*], s[*], code, n, me, other(4)
    real :: first(5)[*], again(5), mine(5), unlike(5)
    integer(int64), allocatable :: none(:)

    n = num_images()
    me = this_image()
    call check(me >= 1 .and. me <= n, 'this_image')
    call check(image_status(me) == 0 .and. image_status(n) == 0, 'image_status')
    call check(size(failed_images()) == 0, 'failed_images')
    none = stopped_images(kind=int64)
    call check(size(none) == 0 .and. size(stopped_images(kind=int8)) == 0, 'stopped_images')

    x = [1, 2, 3, 4]
    s = 5
    sync all
    ! GNU Fortran 12 passes stat= of a get to the library, but not that of a put.
    code = 77
    other = x(:)[n, stat=code]
    call check(code == 0 .and. all(other == x), 'stat of a get')
    s[n, stat=code] = 6
    code = 0
    other(1) = s[n + 1, stat=code]
    call check(code /= 0 .and. code /= stat_stopped_image, 'get from an image that there is not')
    code = 0
    other(1) = s[n - n, stat=code]
    call check(code /= 0, 'get from image 0')
    code = 0
    other(1:2) = x(1:3:2)[-n, stat=code]
    call check(code /= 0, 'get of a section from an image that there is not')
    code = 0
    other(1:2) = x([4, 1])[n + 5, stat=code]
    call check(code /= 0, 'get with a vector subscript from an image that there is not')
    code = 0
    other(1:0) = x([integer ::])[n + 5, stat=code]
    call check(code /= 0, 'get of nothing from an image that there is not')
    sync all
    call check(all(x == [1, 2, 3, 4]) .and. s == merge(6, 5, me == n), 'nothing else is written')

    ! Random numbers that are the same on all images, or not.
    call random_init(repeatable=.true., image_distinct=.false.)
    call random_number(mine)
    first = mine
    sync all
    call check(all(mine == first(:)[1]), 'the same random numbers on all images')
    call random_init(repeatable=.true., image_distinct=.false.)
    call random_number(again)
    call check(all(again == mine), 'the same random numbers again')
    sync all
    call random_init(repeatable=.true., image_distinct=.true.)
    call random_number(mine)
    first = mine
    sync all
    unlike = first(:)[mod(me, n) + 1]
    call check(any(mine /= unlike) .or. n == 1, 'other random numbers on other images')
    sync all
    call random_init(repeatable=.false., image_distinct=.false.)
    call random_number(mine)
    first = mine
    sync all
    call check(all(mine == first(:)[1]), 'the same random numbers on all images, unpredictable ones')
    call random_init(repeatable=.false., image_distinct=.false.)
    call random_number(again)
    call check(any(again /= mine), 'others at the next call')
    sync all
    call random_init(repeatable=.false., image_distinct=.true.)
    call random_number(mine)
    first = mine
    sync all
    unlike = first(:)[mod(me, n) + 1]
    call check(any(mine /= unlike) .or. n == 1, 'other unpredictable random numbers on other images')
    call finish()
end program images
