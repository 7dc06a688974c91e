// Memory for the HDF5 library from the C library, without the address sanitizer: a crafted run makes it ask thousands
// of times, and what the sanitizer looks for is in the program. Its static library is linked with these names in place
// of those of C; what it copies to and from memory of the program is looked at as before. A table of half a megabyte,
// which it clears for every file that it opens, is cleared unseen, too.
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>

extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void __libc_free(void* memory);

void* plain_malloc(std::size_t size);
void* plain_calloc(std::size_t count, std::size_t size);
void* plain_realloc(void* memory, std::size_t size);
void plain_free(void* memory);
char* plain_strdup(const char* text);
int plain_vasprintf(char** text, int flags, const char* form, std::va_list values);
void* plain_memset(void* memory, int value, std::size_t size);

void* plain_malloc(std::size_t size) { return __libc_malloc(size); }
void* plain_calloc(std::size_t count, std::size_t size) { return __libc_calloc(count, size); }
void* plain_realloc(void* memory, std::size_t size) { return __libc_realloc(memory, size); }
void plain_free(void* memory) { __libc_free(memory); }

char* plain_strdup(const char* text)
{
    const std::size_t size = std::strlen(text) + 1;
    void* const copy = __libc_malloc(size);
    return copy == nullptr ? nullptr : static_cast<char*>(std::memcpy(copy, text, size));
}

int plain_vasprintf(char** text, int /*flags*/, const char* form, std::va_list values)
{
    std::va_list again;
    va_copy(again, values);
    const int length = std::vsnprintf(nullptr, 0, form, again);
    va_end(again);
    *text = length < 0 ? nullptr : static_cast<char*>(__libc_malloc(static_cast<std::size_t>(length) + 1));
    return *text == nullptr ? -1 : std::vsnprintf(*text, static_cast<std::size_t>(length) + 1, form, values);
}

void* plain_memset(void* memory, int value, std::size_t size)
{
    constexpr std::size_t large = 1U << 18U;
    if (size < large) return std::memset(memory, value, size);
    void* begin = memory;
    asm volatile("rep stosb" : "+D"(begin), "+c"(size) : "a"(value) : "memory");
    return memory;
}

}  // extern "C"
